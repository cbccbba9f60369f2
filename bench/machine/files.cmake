list(APPEND BENCH_SOURCES
  machine/device_ceilings.cc
  machine/disk_probe.cc
  machine/host.cc
  machine/host_figures.cc
  machine/kernel_tiering.cc
  machine/latency_checker.cc
  machine/machine_facts.cc
  machine/memory_ceilings.cc
  machine/other_load.cc
  machine/preflight.cc
  machine/setting_notes.cc
  machine/topo_json.cc
  machine/topo_text.cc)
list(APPEND BENCH_TIMED
  machine/load_probe.cc
  machine/memory_probe.cc)
list(APPEND BENCH_TESTS
  machine/device_ceilings_test.cc
  machine/disk_probe_test.cc
  machine/host_figures_test.cc
  machine/host_test.cc
  machine/kernel_tiering_test.cc
  machine/latency_checker_test.cc
  machine/load_probe_test.cc
  machine/machine_facts_test.cc
  machine/memory_ceilings_test.cc
  machine/memory_probe_test.cc
  machine/other_load_test.cc
  machine/preflight_test.cc
  machine/setting_notes_test.cc
  machine/topo_report_test.cc)
