#include "queries/column_lookup.h"

#include <fmt/format.h>

#include <string>

namespace hdbench::queries {
namespace {

constexpr std::size_t kNamesShownMax = 20;

std::string list_names(const Schema& schema) {
  std::string names;
  for (std::size_t i = 0; i < schema.own_fields(); ++i) {
    if (i == kNamesShownMax) {
      return names + fmt::format(" and {} more", schema.own_fields() - kNamesShownMax);
    }
    names += (i == 0 ? "" : " ") + schema.fields[i].name;
  }
  return names;
}

}  // namespace

Result<std::size_t> find_column(const Table& table, const Name& name, Unreadable unreadable) {
  const std::vector<Field>& fields = table.schema().fields;
  auto found = table.schema().find(name.text);
  if (!found) {
    // What a link points to is not known where the link cannot be read.
    found = table.schema().find(name.text.substr(0, name.text.find('.')));
    if (found && !fields[*found].unreadable) found.reset();
  }
  if (found) {
    if (unreadable == Unreadable::kNamed || !fields[*found].unreadable) return *found;
    return *fields[*found].unreadable;
  }
  return text_error(fmt::format("{} has no column '{}', its columns are: {}", table.name(),
                                name.text, list_names(table.schema())),
                    name.position);
}

std::string result_name(const Field& field) {
  return field.followed ? field.name.substr(field.name.rfind('.') + 1) : field.name;
}

}  // namespace hdbench::queries
