// expected-error@below {{another message}}
func.func @unknown(%i: tensor<1x2x4xi32>) { "nobody.op"() : () -> () return }

// -----

// expected-error@+1 {{nothing is wrong here}}
func.func @good() { return }

// -----

// expected-remark@+1 {{operation being parsed with an unregistered dialect}}
"nobody.op"() : () -> ()
