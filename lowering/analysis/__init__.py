"""What is proven about values: integer index expressions, the graph snapshot, index predicates."""
