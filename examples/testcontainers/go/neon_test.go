package neon

import (
	"cmp"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/testcontainers/testcontainers-go"
)

func TestABranchHasADatabase(t *testing.T) {
	neon, err := Start(t.Context(), cmp.Or(os.Getenv("NEON_IMAGE"), "ghcr.io/seed-a7382548/neon-emulator:latest"))
	testcontainers.CleanupContainer(t, neon)
	if err != nil {
		t.Fatal(err)
	}
	database, err := pgx.Connect(t.Context(), os.Getenv("DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close(t.Context())
	var one int
	if err := database.QueryRow(t.Context(), "SELECT 1").Scan(&one); err != nil || one != 1 {
		t.Fatal(one, err)
	}
}
