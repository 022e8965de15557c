# The dialects as IRDL, for a stock mlir-opt --irdl-file=dialects.irdl.mlir. Written where the interpreter has the MLIR
# bindings; an isolated wheel build has none, and its wheel can write the file itself (sparse_attn.tools.docgen --irdl).
find_program(SPARSE_ATTN_PYTHON NAMES python python3 DOC "The interpreter that writes the IRDL file")
execute_process(COMMAND ${SPARSE_ATTN_PYTHON} -c "import numpy, torch_mlir.ir" RESULT_VARIABLE SPARSE_ATTN_NO_BINDINGS
                OUTPUT_QUIET ERROR_QUIET)
if(SPARSE_ATTN_NO_BINDINGS EQUAL 0)
  file(GLOB_RECURSE SPARSE_ATTN_DEFINITIONS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.py)
  set(SPARSE_ATTN_IRDL ${CMAKE_CURRENT_BINARY_DIR}/dialects.irdl.mlir)
  add_custom_command(OUTPUT ${SPARSE_ATTN_IRDL}
    COMMAND ${SPARSE_ATTN_PYTHON} -m sparse_attn.tools.docgen --irdl ${SPARSE_ATTN_IRDL}
    WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/../python DEPENDS ${SPARSE_ATTN_DEFINITIONS}
    COMMENT "Writing the dialects as IRDL" VERBATIM)
  add_custom_target(sparse_attn_irdl ALL DEPENDS ${SPARSE_ATTN_IRDL})
else()
  message(STATUS "No MLIR bindings in ${SPARSE_ATTN_PYTHON}: the IRDL file is not written")
endif()
