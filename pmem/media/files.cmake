list(APPEND PMEM_SOURCES
  media/app_direct_medium.cc
  media/column_choice.cc
  media/copy_store.cc
  media/emulated_medium.cc
  media/media_list.cc
  media/medium.cc
  media/memory_medium.cc
  media/node_choice.cc
  media/nvme_medium.cc
  media/placed_medium.cc)
list(APPEND PMEM_TESTS
  media/app_direct_medium_test.cc
  media/column_choice_test.cc
  media/copy_store_test.cc
  media/emulated_medium_test.cc
  media/media_list_test.cc
  media/medium_test.cc
  media/memory_medium_test.cc
  media/node_choice_test.cc
  media/nvme_medium_test.cc
  media/placed_medium_test.cc)
