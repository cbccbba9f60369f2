// Which types can be compared with which.
//
// Types of one family compare: numbers (with booleans and bytes); dates, months, timestamps and
// datetimes; timespans, times, seconds and minutes; chars, symbols and guids each form one family.
// Across families an integer compares with a temporal, and a timestamp with a time of day.
#pragma once

#include "engine/column/type.h"

namespace hdbench::queries {

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

}  // namespace hdbench::queries
