package client

import (
	"context"
	"testing"
)

func TestCalls_dataAPIs(t *testing.T) {
	rows := int64(7)
	settings := DataAPISettings{MaxRows: &rows}
	const read = `{"url":"https://u","status":"active","settings":{"db_max_rows":5,"db_anon_role":"a","newer":[1],"openapi_mode":null},"available_schemas":["public"]}`
	holdCalls(t, []exchange{
		{"a Data API", func(ctx context.Context, c *Client) (any, error) { return c.GetDataAPI(ctx, aBranch, "d/1") },
			"GET /api/v2/projects/p/branches/b/data-api/d%2F1 ", 200, read, `"status":"active","settings":{"db_anon_role":"a","db_max_rows":5},"available_schemas":["public"]`},
		{"its settings, merged with those that are there", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.UpdateDataAPI(ctx, aBranch, "d", settings, DataAPISettings{})
		}, `PATCH /api/v2/projects/p/branches/b/data-api/d {"settings":{"db_anon_role":"a","db_max_rows":7,"newer":[1]}}`, 201, read, `null`},
		{"its settings, where those that are there aren't said", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.UpdateDataAPI(ctx, aBranch, "d", DataAPISettings{}, settings)
		}, `PATCH /api/v2/projects/p/branches/b/data-api/d {"settings":{"db_max_rows":7}}`, 201, `{"url":"https://u","settings":null}`, `null`},
		{"its schema read anew", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RefreshDataAPISchema(ctx, aBranch, "d")
		},
			"PATCH /api/v2/projects/p/branches/b/data-api/d ", 201, `{}`, `null`},
		{"end a Data API", func(ctx context.Context, c *Client) (any, error) { return nil, c.DeleteDataAPI(ctx, aBranch, "d") },
			"DELETE /api/v2/projects/p/branches/b/data-api/d ", 200, `{}`, `null`},
	})
}
