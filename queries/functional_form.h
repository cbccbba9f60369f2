// The functional forms of queries, as programs and logs write them: parse trees in brackets.
//
//   ?[`trade;enlist(=;`date;2020.01.07);0b;()]
//   ?[`trade;();(enlist`sym)!enlist`sym;`n`vwap!((count;`i);(wavg;`size;`price))]
//   ![t;();0b;enlist`ex]
#pragma once

#include "engine/base/result.h"
#include "queries/lexer.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// Whether ?[ or ![ comes next.
bool begins_functional_form(const TokenReader& reader);

// The query that the form means. Errors: what no parse tree has, with a caret.
Result<Query> parse_functional_form(TokenReader& reader, int depth);

}  // namespace hdbench::queries
