package sqlscript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []Statement
	}{
		"nothing":         {" \n", nil},
		"comments alone":  {"-- one;\n/* two; /* three; */ */;", nil},
		"two":             {"SELECT 1;\nSELECT 2", []Statement{{"SELECT 1", 1, nil}, {"SELECT 2", 2, nil}}},
		"empty ones":      {";;\n;SELECT 1;;", []Statement{{"SELECT 1", 2, nil}}},
		"comment before":  {"-- it;\n\nSELECT 1; -- end", []Statement{{"SELECT 1", 3, nil}}},
		"comment inside":  {"SELECT /* ; */ 1 -- ;\n+ 1;", []Statement{{"SELECT /* ; */ 1 -- ;\n+ 1", 1, nil}}},
		"quotes":          {`SELECT ';''', ";""" FROM t; SELECT 2`, []Statement{{`SELECT ';''', ";""" FROM t`, 1, nil}, {"SELECT 2", 1, nil}}},
		"backslash":       {`SELECT E'\';', e'\\'; SELECT '\'; SELECT 3`, []Statement{{`SELECT E'\';', e'\\'`, 1, nil}, {`SELECT '\'`, 1, nil}, {"SELECT 3", 1, nil}}},
		"dollars":         {"SELECT $$;$$, $a$;$$;$a$; SELECT $1", []Statement{{"SELECT $$;$$, $a$;$$;$a$", 1, nil}, {"SELECT $1", 1, nil}}},
		"dollar in names": {"SELECT a$b$c; SELECT 2", []Statement{{"SELECT a$b$c", 1, nil}, {"SELECT 2", 1, nil}}},
		"parentheses":     {"CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3", []Statement{{"CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", 1, nil}, {"SELECT 3", 1, nil}}},
		"function": {
			"CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; SELECT 3",
			[]Statement{{"CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END", 1, nil},
				{"SELECT 3", 1, nil}},
		},
		"data": {
			"COPY t (x) FROM stdin;\n1;\n'\\\\.\n\\.\nSELECT 1;",
			[]Statement{{"COPY t (x) FROM stdin", 1, &Data{"1;\n'\\\\.\n", 2}}, {"SELECT 1", 5, nil}},
		},
		"no data": {
			"copy t from STDIN with (format csv); -- here\r\n\\.\r\n",
			[]Statement{{"copy t from STDIN with (format csv)", 1, &Data{"", 2}}},
		},
		"copies without data": {
			"COPY t FROM 'stdin'; COPY (SELECT x FROM stdin) TO STDOUT",
			[]Statement{{"COPY t FROM 'stdin'", 1, nil}, {"COPY (SELECT x FROM stdin) TO STDOUT", 1, nil}},
		},
		"restricted":  {"\\restrict abc\nSELECT 1;\n\\unrestrict abc\n", []Statement{{"SELECT 1", 2, nil}}},
		"transaction": {"BEGIN; SELECT 1; END;", []Statement{{"BEGIN", 1, nil}, {"SELECT 1", 1, nil}, {"END", 1, nil}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Split(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSplit_errors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SELECT 1;\nSELECT 'a":       "line 2: a quote (') begins here and doesn't end",
		"SELECT \"a":                 `line 1: a quote (") begins here and doesn't end`,
		"\n\n/* a /* b */":           "line 3: a comment (/*) begins here and doesn't end",
		"SELECT 1;\n\\connect other": `line 2: \connect is a command of psql; only SQL can be run here`,
		"SELECT 1 \\gexec":           `line 1: \gexec is a command of psql; only SQL can be run here`,
		"\n\\.\n":                    `line 2: \. is a command of psql; only SQL can be run here`,
		"COPY t FROM STDIN;\n1\n":    `line 1: the data of this COPY ... FROM STDIN doesn't end; a line of \. alone must follow it`,
		"\nCOPY t FROM STDIN":        `line 2: the data of this COPY ... FROM STDIN doesn't end; a line of \. alone must follow it`,
		"COPY t FROM STDIN; 1":       "line 1: the data of a COPY ... FROM STDIN must begin on the next line",
		"SELECT $x$ a $y$ $ $x":      "line 1: a quote ($x$) begins here and doesn't end",
	} {
		if _, err := Split(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestOwnTransaction(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"CREATE TABLE t ()":                     false,
		"/* a */ -- b\n begin; SELECT 1; end":   true,
		"START TRANSACTION; SELECT 1; COMMIT":   true,
		"CREATE TABLE begin_again (); SELECT 1": false,
	} {
		statements, err := Split(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&Script{Statements: statements}).ownTransaction(); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// Editors on Windows begin a file with a mark, which psql passes over too.
func TestRead_byteOrderMark(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "seed.sql")
	if err := os.WriteFile(path, []byte("\ufeffSELECT 1;"), 0o600); err != nil {
		t.Fatal(err)
	}
	script, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Statement{{Text: "SELECT 1", Line: 1}}, script.Statements); diff != "" {
		t.Error(diff)
	}
}

func TestRead_errors(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "seed.sql")
	for _, test := range []struct {
		write func() error
		want  string
	}{
		{func() error { return nil }, "no such file"},
		{func() error { return os.WriteFile(path, []byte{0xff, 0xfe}, 0o600) }, "isn't text in UTF-8"},
		{func() error { return os.WriteFile(path, []byte("SELECT '"), 0o600) }, path + ", line 1: a quote"},
	} {
		if err := test.write(); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// Nothing of a text is lost but what is between statements, and to split a statement
// again changes nothing.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{"SELECT 1; SELECT 2", "/*/**/*/;'';$$;$$",
		"CREATE FUNCTION f() BEGIN ATOMIC SELECT 1; END;", "E'\\';'", "COPY t FROM STDIN;\n1\n\\.\n", "\\restrict x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statements, err := Split(text)
		if err != nil {
			return
		}
		at := 0
		for _, statement := range statements {
			found := strings.Index(text[at:], statement.Text)
			if found < 0 || statement.Text == "" {
				t.Fatalf("%q isn't in what is left of %q", statement.Text, text)
			}
			at += found + len(statement.Text)
			if statement.Data != nil {
				continue // Without its data it isn't whole.
			}
			again, err := Split(statement.Text)
			if err != nil || len(again) != 1 || again[0].Text != statement.Text || again[0].Line != 1 {
				t.Fatalf("%q splits into %v, %v", statement.Text, again, err)
			}
		}
	})
}
