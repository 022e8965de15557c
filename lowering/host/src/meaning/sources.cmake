# The meaning-level kernels. Inner loops are compiled once per instruction set and chosen when the library runs.
set(SPARSE_ATTN_MEANING ${CMAKE_CURRENT_LIST_DIR})
list(APPEND SPARSE_ATTN_HOST_SOURCES
  ${SPARSE_ATTN_MEANING}/attend.cpp
  ${SPARSE_ATTN_MEANING}/attend_stream.cpp
  ${SPARSE_ATTN_MEANING}/attention.cpp
  ${SPARSE_ATTN_MEANING}/compress.cpp
  ${SPARSE_ATTN_MEANING}/index_scores.cpp
  ${SPARSE_ATTN_MEANING}/isa.cpp
  ${SPARSE_ATTN_MEANING}/lightning_indexer.cpp
  ${SPARSE_ATTN_MEANING}/paged_write.cpp
  ${SPARSE_ATTN_MEANING}/picks.cpp
  ${SPARSE_ATTN_MEANING}/scores.cpp
  ${SPARSE_ATTN_MEANING}/segments.cpp
  ${SPARSE_ATTN_MEANING}/select.cpp
  ${SPARSE_ATTN_MEANING}/selection.cpp
  ${SPARSE_ATTN_MEANING}/tiles_avx2.cpp
  ${SPARSE_ATTN_MEANING}/tiles_avx512.cpp
  ${SPARSE_ATTN_MEANING}/tiles_neon.cpp
  ${SPARSE_ATTN_MEANING}/tiles_portable.cpp
  ${SPARSE_ATTN_MEANING}/topk.cpp
  ${SPARSE_ATTN_MEANING}/visibility.cpp
)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(SPARSE_ATTN_AVX2 -mavx2 -mfma -mf16c)
  set_source_files_properties(${SPARSE_ATTN_MEANING}/tiles_avx2.cpp PROPERTIES COMPILE_OPTIONS "${SPARSE_ATTN_AVX2}")
  set_source_files_properties(${SPARSE_ATTN_MEANING}/tiles_avx512.cpp PROPERTIES
    COMPILE_OPTIONS "${SPARSE_ATTN_AVX2};-mavx512f;-mavx512vl;-mavx512bw;-mavx512dq;-mprefer-vector-width=512")
endif()
