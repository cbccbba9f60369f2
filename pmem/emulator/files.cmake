list(APPEND PMEM_SOURCES
  emulator/device_account.cc
  emulator/device_profile.cc
  emulator/emulated_device.cc
  emulator/emulated_meter.cc
  emulator/near_cache.cc
  emulator/page_placement.cc
  emulator/region_table.cc
  emulator/selected_lines.cc)
list(APPEND PMEM_TESTS
  emulator/device_account_test.cc
  emulator/device_profile_test.cc
  emulator/emulated_device_test.cc
  emulator/emulated_meter_test.cc
  emulator/loaded_devices_test.cc
  emulator/near_cache_test.cc
  emulator/page_placement_test.cc
  emulator/passes_in_turn_test.cc
  emulator/region_table_test.cc
  emulator/selected_lines_test.cc)
