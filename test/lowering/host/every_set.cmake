# A program of the tests, built on request alone: cmake --build <folder> --target every_set
set(SPARSE_ATTN_HOST_TESTS ${CMAKE_CURRENT_LIST_DIR})
add_executable(every_set EXCLUDE_FROM_ALL ${SPARSE_ATTN_HOST_TESTS}/every_set.cpp)
target_compile_features(every_set PRIVATE cxx_std_17)
target_link_libraries(every_set PRIVATE sparse_attn_host)
