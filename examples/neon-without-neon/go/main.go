// An application with pgx: go get github.com/jackc/pgx/v5
package main

import (
	"context"
	"log"
	"os"

	"github.com/jackc/pgx/v5"
)

func main() {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, os.Getenv("DATABASE_URL"))
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
