"""csv: rows read and written, dialects, dicts."""
import csv
import io

LINES = ["a,b,c\n", '1,"x, y",3\n', '"he said ""hi""",,z\n', "\n", '"two\n', 'lines",2\n', " s , 't' \n", "last"]
for options in ({}, {"delimiter": ";"}, {"quotechar": "'"}, {"skipinitialspace": True}, {"quoting": csv.QUOTE_NONE}, {"escapechar": "\\"}, {"doublequote": False},
                {"dialect": "excel-tab"}, {"dialect": "unix"}):
    r = csv.reader(LINES, **options)
    print(options, list(r), r.line_num)
print(list(csv.reader(['1,"a",2.5', '"b",3,"4"'], quoting=csv.QUOTE_NONNUMERIC)), list(csv.reader(io.StringIO("x\ty\n"), delimiter="\t")))
print(list(csv.reader(["a\\,b,c\\\\d"], escapechar="\\")), list(csv.reader([])), next(csv.reader(["one"])))
ROWS = [["a", 1, 2.5, None], ['q"x', "a,b", "line\nend", "it's"], [True, "", " s ", (1, 2)], [], [""]]
for options in ({}, {"delimiter": ";"}, {"quoting": csv.QUOTE_ALL}, {"quoting": csv.QUOTE_NONNUMERIC}, {"quotechar": "'"}, {"lineterminator": "\n"},
                {"doublequote": False, "escapechar": "\\"}, {"dialect": "excel-tab"}, {"dialect": csv.unix_dialect}):
    s = io.StringIO()
    w = csv.writer(s, **options)
    print(options, w.writerow(["x", 0]))
    w.writerows(ROWS)
    print(repr(s.getvalue()))
s = io.StringIO()
w = csv.DictWriter(s, ["name", "n"], restval="-", extrasaction="ignore")
w.writeheader()
w.writerow({"name": "a", "n": 1})
w.writerows([{"name": "b"}, {"n": 3, "name": "c", "other": 4}])
print(repr(s.getvalue()), w.fieldnames)
try:
    csv.DictWriter(s, ["a"]).writerow({"a": 1, "b": 2})
except ValueError as e:
    print(e)
reader = csv.DictReader(io.StringIO(s.getvalue() + "d\r\n\r\ne,5,6,7\r\n"))
print(reader.fieldnames)
for row in reader:
    print(row, reader.line_num)
print([list(row.items()) for row in csv.DictReader(["1,2", "3,4"], fieldnames=["a", "b"], restkey="more")], list(csv.DictReader([])))


class pipes(csv.excel):
    delimiter = "|"
    quoting = csv.QUOTE_ALL


csv.register_dialect("pipes", pipes)
csv.register_dialect("colons", delimiter=":", lineterminator="\n")
print(sorted(csv.list_dialects()), csv.get_dialect("pipes").delimiter, csv.get_dialect("colons").quoting, list(csv.reader(["a:b|c"], "colons")))
s = io.StringIO()
csv.writer(s, "pipes").writerow([1, "b|"])
print(repr(s.getvalue()), csv.writer(s, pipes).dialect.delimiter)
csv.unregister_dialect("pipes")
for wrong in (lambda: csv.get_dialect("pipes"), lambda: csv.reader(["a"], delimiter="ab"), lambda: csv.reader(["a"], nothing=1), lambda: csv.writer(3),
              lambda: next(csv.reader([3])), lambda: csv.reader(5), lambda: csv.writer(s).writerow(5), lambda: next(csv.reader(['"a'], strict=True)),
              lambda: next(csv.reader(['"a"b'], strict=True)), lambda: csv.writer(s, quoting=csv.QUOTE_NONE).writerow(["a,b"]), lambda: next(csv.reader([])),
              lambda: list(csv.reader(['a,"b'], quotechar=None)), lambda: csv.reader(["a"], "excel", quotechar=None), lambda: csv.writer(s, quoting=csv.QUOTE_NONE).writerow([""])):
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__)
print(csv.field_size_limit(), csv.field_size_limit(3), csv.field_size_limit())
try:
    print(list(csv.reader(["abcd"])))
except csv.Error as e:
    print(e)
