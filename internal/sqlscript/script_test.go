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
		"two":             {"SELECT 1;\nSELECT 2", []Statement{{"SELECT 1", 1}, {"SELECT 2", 2}}},
		"empty ones":      {";;\n;SELECT 1;;", []Statement{{"SELECT 1", 2}}},
		"comment before":  {"-- it;\n\nSELECT 1; -- end", []Statement{{"SELECT 1", 3}}},
		"comment inside":  {"SELECT /* ; */ 1 -- ;\n+ 1;", []Statement{{"SELECT /* ; */ 1 -- ;\n+ 1", 1}}},
		"quotes":          {`SELECT ';''', ";""" FROM t; SELECT 2`, []Statement{{`SELECT ';''', ";""" FROM t`, 1}, {"SELECT 2", 1}}},
		"backslash":       {`SELECT E'\';', e'\\'; SELECT '\'; SELECT 3`, []Statement{{`SELECT E'\';', e'\\'`, 1}, {`SELECT '\'`, 1}, {"SELECT 3", 1}}},
		"dollars":         {"SELECT $$;$$, $a$;$$;$a$; SELECT $1", []Statement{{"SELECT $$;$$, $a$;$$;$a$", 1}, {"SELECT $1", 1}}},
		"dollar in names": {"SELECT a$b$c; SELECT 2", []Statement{{"SELECT a$b$c", 1}, {"SELECT 2", 1}}},
		"parentheses":     {"CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3", []Statement{{"CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", 1}, {"SELECT 3", 1}}},
		"function": {
			"CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; SELECT 3",
			[]Statement{{"CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END", 1}, {"SELECT 3", 1}},
		},
		"transaction": {"BEGIN; SELECT 1; END;", []Statement{{"BEGIN", 1}, {"SELECT 1", 1}, {"END", 1}}},
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
		"SELECT 1;\nSELECT 'a":  "line 2: a quote (') begins here and doesn't end",
		"SELECT \"a":            `line 1: a quote (") begins here and doesn't end`,
		"\n\n/* a /* b */":      "line 3: a comment (/*) begins here and doesn't end",
		"SELECT $x$ a $y$ $ $x": "line 1: a quote ($x$) begins here and doesn't end",
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
	for _, text := range []string{"SELECT 1; SELECT 2", "/*/**/*/;'';$$;$$", "CREATE FUNCTION f() BEGIN ATOMIC SELECT 1; END;", "E'\\';'"} {
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
			again, err := Split(statement.Text)
			if err != nil || len(again) != 1 || again[0].Text != statement.Text || again[0].Line != 1 {
				t.Fatalf("%q splits into %v, %v", statement.Text, again, err)
			}
		}
	})
}
