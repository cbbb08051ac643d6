// format, % and str.format by the names that the fixtures use: a small engine that fetches
// arguments for the parsed templates.
#include "Encoding.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Format.h"

namespace values {

static Result<Str> toStr(const Result<std::string> &text) {
  if (!text)
    return text.error();
  return Str(*text);
}

static Result<Str> formatValue(const Value &value, StrRef spec) {
  switch (value.kind) {
  case 'b':
    return formatBool(!value.integer.isZero(), spec);
  case 'i':
    return formatInt(value.integer, spec);
  case 'f':
    return formatFloat(value.real, spec);
  case 'c':
    return formatComplex({value.real, value.imag}, spec);
  case 's':
    return formatStr(StrRef(value.text), spec);
  default:
    throw std::runtime_error("no format for this kind of value");
  }
}

/// str(), repr() or ascii(), by the letter of the conversion.
static Result<Str> convertValue(const Value &value, char32_t conversion) {
  switch (value.kind) {
  case 's':
    return conversion == 's'   ? Str(value.text)
           : conversion == 'r' ? str::repr(value.text)
                               : str::ascii(value.text);
  case 'y':
    return bytes::repr(value.text);
  case 'n':
    return Str(std::string("None"));
  case 'i':
    return toStr(toDecimal(value.integer));
  default:
    return formatValue(value, "");
  }
}

//===----------------------------------------------------------------------===//
// %
//===----------------------------------------------------------------------===//

namespace {
/// template % arguments, which are a tuple or a dict.
class PercentRun {
public:
  PercentRun(const Args &a, bool isMapping)
      : isBytes(a[0].kind == 'y'), isMapping(isMapping),
        parsed(isBytes ? parsePercentBytes(a.text(0)) : parsePercent(a.str(0))),
        keys(isMapping ? a[1].items : std::vector<Value>()),
        values(isMapping ? a[2].items : a[1].items) {}
  std::string run();

private:
  const Value *next() { return at < values.size() ? &values[at++] : nullptr; }
  Result<Str> runSpec(PercentSpec spec);
  std::optional<Raised> fetchSizes(PercentSpec &spec);
  Result<const Value *> fetch(const PercentSpec &spec);
  PercentValue argument(const Value &value, char32_t conversion, std::optional<Raised> &raised);

  bool isBytes, isMapping;
  PercentTemplate parsed;
  std::vector<Value> keys, values;
  size_t at = 0;
};
} // namespace

static std::optional<PyInt> asInt(const Value *value) {
  return value->kind == 'i' || value->kind == 'b' ? std::optional<PyInt>(value->integer)
                                                  : std::nullopt;
}

std::optional<Raised> PercentRun::fetchSizes(PercentSpec &spec) {
  if (spec.width.kind == PercentSize::Kind::Argument) {
    const Value *value = next();
    if (!value)
      return percentTooFewArguments();
    if (auto raised = spec.setWidth(asInt(value)))
      return raised;
  }
  if (spec.precision.kind == PercentSize::Kind::Argument) {
    const Value *value = next();
    if (!value)
      return percentTooFewArguments();
    if (auto raised = spec.setPrecision(asInt(value)))
      return raised;
  }
  return std::nullopt;
}

Result<const Value *> PercentRun::fetch(const PercentSpec &spec) {
  if (!spec.key) {
    // A dict is one argument itself; the fixtures do not print it.
    const Value *value = isMapping ? nullptr : next();
    if (!value)
      return percentTooFewArguments();
    return value;
  }
  if (!isMapping)
    return percentNeedsMapping();
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i].text == spec.key->bytes())
      return &values[i];
  return Raised{ExcKind::KeyError, spec.key->bytes()};
}

PercentValue PercentRun::argument(const Value &value, char32_t conversion,
                                  std::optional<Raised> &raised) {
  static const std::map<char, const char *> names = {
      {'n', "NoneType"}, {'b', "bool"}, {'i', "int"},  {'f', "float"},
      {'c', "complex"},  {'s', "str"},  {'y', "bytes"}};
  PercentValue result{{}, names.at(value.kind)};
  const bool isText = conversion == 's' || conversion == 'r' || conversion == 'a';
  if (isText && !(isBytes && conversion == 's')) {
    // bytes have %r too, which is %a there.
    Result<Str> shown = convertValue(value, isBytes ? 'a' : conversion);
    if (shown)
      result.value = *shown;
    else
      raised = shown.error();
  } else if (value.kind == 'i' || value.kind == 'b') {
    result.value = value.integer;
  } else if (value.kind == 'f') {
    result.value = value.real;
  } else if (value.kind == (isBytes ? 'y' : 's')) {
    result.value = isBytes ? *bytes::decode(value.text, "latin-1") : Str(value.text);
  }
  return result;
}

Result<Str> PercentRun::runSpec(PercentSpec spec) {
  if (spec.key && !isMapping)
    return percentNeedsMapping();
  if (auto raised = fetchSizes(spec))
    return *raised;
  Result<const Value *> value = fetch(spec);
  if (!value)
    return value.error();
  std::optional<Raised> raised;
  PercentValue converted = argument(**value, spec.conversion, raised);
  if (raised)
    return *raised;
  return isBytes ? formatPercentBytes(spec, converted) : formatPercent(spec, converted);
}

std::string PercentRun::run() {
  std::string out;
  for (const PercentPart &part : parsed.parts) {
    out += part.literal.bytes();
    if (!part.spec)
      continue;
    Result<Str> text = runSpec(*part.spec);
    if (!text)
      return encode(text.error());
    out += text->bytes();
  }
  if (parsed.error)
    return encode(*parsed.error);
  if (!isMapping && at < values.size())
    return encode(percentTooManyArguments(isBytes));
  return isBytes ? encode(asBytes(*str::encode(out, "latin-1"))) : encode(out);
}

//===----------------------------------------------------------------------===//
// str.format
//===----------------------------------------------------------------------===//

namespace {
struct FormatRun {
  const std::vector<Value> &args, &keys, &values;

  Result<Value> first(const FormatField &field);
  Result<Value> resolve(const FormatField &field);
  Result<Str> runField(const FormatField &field);
  Result<Str> run(const FormatTemplate &parsed);
};
} // namespace

Result<Value> FormatRun::first(const FormatField &field) {
  if (const auto *index = std::get_if<int64_t>(&field.first)) {
    if (*index >= int64_t(args.size()))
      return formatIndexError(*index);
    return args[size_t(*index)];
  }
  const Str &name = std::get<Str>(field.first);
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i].text == name.bytes())
      return values[i];
  return Raised{ExcKind::KeyError, name.bytes()};
}

Result<Value> FormatRun::resolve(const FormatField &field) {
  Result<Value> value = first(field);
  for (const FormatAccess &access : field.accesses) {
    if (!value)
      return value;
    const auto *name = std::get_if<Str>(&access.key);
    if (access.isAttribute) {
      // Numbers have .real, which is all that the fixtures look at.
      if (value->kind == 's' || name->bytes() != "real")
        return Raised{ExcKind::Limit, "an attribute"};
    } else if (value->kind == 's' && !name) {
      Result<Str> item = str::at(StrRef(value->text), std::get<int64_t>(access.key));
      if (!item)
        return item.error();
      value->text = item->bytes();
    } else {
      return Raised{ExcKind::Limit, "an item"};
    }
  }
  if (value && field.accessError)
    return *field.accessError;
  return value;
}

Result<Str> FormatRun::runField(const FormatField &field) {
  Result<Value> value = resolve(field);
  if (!value)
    return value.error();
  if (field.conversionError)
    return *field.conversionError;
  if (field.conversion) {
    Result<Str> converted = convertValue(*value, field.conversion);
    if (!converted)
      return converted;
    *value = Value{'s', converted->bytes(), {}, 0, 0, {}};
  }
  Result<Str> spec = run(field.spec);
  if (!spec)
    return spec;
  return formatValue(*value, *spec);
}

Result<Str> FormatRun::run(const FormatTemplate &parsed) {
  std::string out;
  for (const FormatPart &part : parsed.parts) {
    out += part.literal.bytes();
    if (!part.field)
      continue;
    Result<Str> text = runField(*part.field);
    if (!text)
      return text;
    out += text->bytes();
  }
  if (parsed.error)
    return *parsed.error;
  return Str(std::move(out));
}

void addFormatCalls(Calls &calls) {
  calls["format.value"] = [](const Args &a) { return encode(formatValue(a[0], a.str(1))); };
  calls["format.percent"] = [](const Args &a) { return PercentRun(a, false).run(); };
  calls["format.mapping"] = [](const Args &a) { return PercentRun(a, true).run(); };
  calls["format.template"] = [](const Args &a) {
    return encode(FormatRun{a[1].items, a[2].items, a[3].items}.run(parseFormat(a.str(0))));
  };
}

} // namespace values
