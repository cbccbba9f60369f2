list(APPEND BENCH_SOURCES
  storage/filesystems/device_use.cc
  storage/filesystems/filesystem_comparison.cc
  storage/filesystems/filesystem_image.cc
  storage/filesystems/filesystem_table.cc
  storage/filesystems/spare_device.cc)
list(APPEND IO_MACHINE_TESTS
  storage/filesystems/device_use_test.cc
  storage/filesystems/filesystem_comparison_test.cc
  storage/filesystems/filesystem_image_test.cc
  storage/filesystems/filesystem_table_test.cc
  storage/filesystems/spare_device_test.cc)
