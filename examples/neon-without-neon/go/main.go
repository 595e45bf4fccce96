// An application with pgx: go get github.com/jackc/pgx/v5
package main

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
)

func main() {
	ctx := context.Background()
	config, err := pgx.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	if strings.HasSuffix(config.Host, ".localhost") {
		// Not every resolver knows names below .localhost.
		config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		log.Fatal(err)
	}
	var sum int
	if err := conn.QueryRow(ctx, "SELECT sum(n) FROM generate_series(1, 10) AS n").Scan(&sum); err != nil {
		log.Fatal(err)
	}
	log.Print("sum: ", sum)
	if err := conn.Close(ctx); err != nil {
		log.Fatal(err)
	}
}
