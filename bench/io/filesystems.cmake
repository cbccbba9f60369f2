# Filesystems side by side and volume classes: a part of hdbench_bench, with tests of its own.
set(io_machine_sources
    credit_controller.cc device_load.cc filesystem_comparison.cc filesystem_image.cc
    filesystem_names.cc filesystem_table.cc filled_file.cc guard.cc loop_device.cc
    machine_flags.cc memory_disk.cc spare_device.cc system_tool.cc throttle.cc
    throttled_volume.cc volume_caps.cc volume_class.cc)
set(io_machine_tests
    credit_controller_test.cc device_load_test.cc filesystem_comparison_test.cc
    filesystem_image_test.cc filesystem_names_test.cc filesystem_table_test.cc
    filled_file_test.cc guard_test.cc spare_device_test.cc system_tool_test.cc throttle_test.cc
    volume_caps_test.cc volume_class_test.cc)
target_sources(hdbench_bench PRIVATE ${io_machine_sources})

# hdbench_tests() links hdbench_io_machine.
add_library(hdbench_io_machine ALIAS hdbench_bench)
hdbench_tests(io_machine SOURCES ${io_machine_tests})
