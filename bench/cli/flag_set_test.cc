#include "bench/cli/flag_set.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::string help_at(std::size_t columns) {
  CLI::App app("What this program is for, in a sentence that is longer than a narrow screen", "it");
  app.formatter(help_format(columns));
  std::string word = "usual";
  std::string place;
  app.add_option("-w,--word", word, "one word of those that are known here")
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option("--a-flag-with-a-long-name", place, "its text begins below it")->group("Places");
  app.footer("Examples:\n    it --word another --a-flag-with-a-long-name /some/where/else");
  return app.help();
}

}  // namespace

TEST_CASE("a word that no flag takes is held against the flags of its command") {
  CLI::App app;
  FlagSet command(app);
  std::string medium;
  bool secret = false;
  command.add("--medium", "TEXT", medium, "");
  command.add_flag("--secret", secret, "").hide();
  CHECK(command.did_you_mean_flag("--meduim") == "; did you mean '--medium'?");
  CHECK(command.did_you_mean_flag("--meduim=dram") == "; did you mean '--medium'?");
  CHECK(command.did_you_mean_flag("--secrt").empty());
  CHECK(command.did_you_mean_flag("medium").empty());
}

TEST_CASE("flags stand below the heading that was begun last, examples at the end") {
  CLI::App app;
  FlagSet command(app);
  std::string word;
  command.group("Media");
  command.add("--medium", "TEXT", word, "");
  command.group("Output");
  command.add("--out", "TEXT", word, "");
  command.footer("What else is to be said.");
  command.examples({"it --medium dram", "it --out file"});
  const std::string help = app.help();
  CHECK(help.find("\nMedia:\n  --medium") < help.find("\nOutput:\n  --out"));
  CHECK(help.find("What else is to be said.\n\nExamples:\n    it --medium dram\n") !=
        std::string::npos);
}

TEST_CASE("help is as wide as the screen, and cuts no word") {
  for (const std::size_t columns : {40, 60, 80, 200}) {
    const std::string help = help_at(columns);
    CAPTURE(help);
    for (std::size_t at = 0; at < help.size();) {
      const std::size_t end = help.find('\n', at);
      CHECK(end - at <= columns);
      at = end + 1;
    }
    CHECK(help.find("  -w,--word WORD=usual") != std::string::npos);
    CHECK(help.find("/some/where/else") != std::string::npos);
  }
}

TEST_CASE("a name that is too long for its column has a line of its own") {
  CHECK(help_at(80).find("\nPlaces:\n  --a-flag-with-a-long-name TEXT\n"
                         "                          its text begins below it\n") !=
        std::string::npos);
}

}  // namespace hdbench::bench
