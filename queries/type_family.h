// Which types can be compared with which.
//
// Numbers (booleans and bytes too) with numbers; dates, months, timestamps and datetimes with each
// other; timespans, times, seconds and minutes with each other; chars, symbols and guids with their
// own. Stricter than q in one point: q also compares a temporal with a bare number.
#pragma once

#include "engine/column/type.h"

namespace hdbench {

enum class TypeFamily { kNumber, kInstant, kSpan, kChar, kSymbol, kGuid, kList };

constexpr TypeFamily family_of(QType type) {
  switch (type) {
    case QType::kBoolean:
    case QType::kByte:
    case QType::kShort:
    case QType::kInt:
    case QType::kLong:
    case QType::kReal:
    case QType::kFloat: return TypeFamily::kNumber;
    case QType::kTimestamp:
    case QType::kMonth:
    case QType::kDate:
    case QType::kDatetime: return TypeFamily::kInstant;
    case QType::kTimespan:
    case QType::kMinute:
    case QType::kSecond:
    case QType::kTime: return TypeFamily::kSpan;
    case QType::kChar: return TypeFamily::kChar;
    case QType::kSymbol: return TypeFamily::kSymbol;
    case QType::kGuid: return TypeFamily::kGuid;
    case QType::kNested: return TypeFamily::kList;
  }
  return TypeFamily::kList;
}

}  // namespace hdbench
