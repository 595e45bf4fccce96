package emulator

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"time"
)

// sortedQuery is what a list is asked for whose order can be chosen.
type sortedQuery struct {
	cursorFields

	sortBy, sortOrder string
	limit             int
	// after is where the page before ended, nil for the first one.
	after *place
}

// cursorFields are what a list's cursors call the id and the place of the one that a page ended with. Recorded cursors
// are base64 of an object.
type cursorFields struct{ id, value string }

// place is what a list is sorted by: a time or a text, and then the id.
type place struct {
	at       int64
	text, id string
}

// sortedQuery reads the cursor of a list, which goes on in the order that it came from.
func (c *call) sortedQuery(fields cursorFields, limit int, sortBy, sortOrder string) sortedQuery {
	q := sortedQuery{cursorFields: fields, limit: limit, sortBy: sortBy, sortOrder: sortOrder}
	cursor := c.query("cursor")
	if cursor == "" {
		return q
	}
	var sent map[string]string
	text, err := base64.StdEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, &sent)
	}
	q.sortBy, q.sortOrder, q.after = sent["sort_by"], sent["sort_order"], &place{text: sent[q.value], id: sent[q.id]}
	if err == nil && q.isByTime() {
		var at time.Time
		at, err = time.Parse(time.RFC3339Nano, q.after.text)
		q.after.at, q.after.text = at.UnixNano(), ""
	}
	if err != nil || q.after.id == "" {
		c.refuseQuery("cursor", "must be a cursor of an earlier answer")
	}
	return q
}

func (q sortedQuery) isByTime() bool { return strings.HasSuffix(q.sortBy, "_at") }

// cursor is the one that leads on from a place.
func (q sortedQuery) cursor(from place) string {
	value := from.text
	if q.isByTime() {
		value = time.Unix(0, from.at).UTC().Format("2006-01-02T15:04:05.000000000Z")
	}
	text, _ := json.Marshal(map[string]string{q.id: from.id, q.value: value, "sort_by": q.sortBy,
		"sort_order": q.sortOrder}) // All are texts.
	return base64.StdEncoding.EncodeToString(text)
}

func (q sortedQuery) compare(a, b place) int {
	order := cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.text, b.text), strings.Compare(a.id, b.id))
	if q.sortOrder == "desc" {
		return -order
	}
	return order
}

// sortedPage returns those of a page in order, and the cursor of the next one, empty for none. It sorts no more than
// two pages at once: a project may have many branches.
func sortedPage[T any](
	q sortedQuery, all iter.Seq[T], wanted func(T) bool, placeOf func(T) place,
) (page []T, next string) {
	type placed struct {
		place

		one T
	}
	var found []placed
	sort := func() {
		slices.SortFunc(found, func(a, b placed) int { return q.compare(a.place, b.place) })
		found = found[:min(q.limit+1, len(found))]
	}
	var beyond *place
	for one := range all {
		at := placeOf(one)
		if beyond != nil && q.compare(at, *beyond) > 0 || q.after != nil && q.compare(at, *q.after) <= 0 || !wanted(one) {
			continue
		}
		if found = append(found, placed{at, one}); len(found) == 2*(q.limit+1) {
			sort()
			beyond = new(found[q.limit].place)
		}
	}
	sort()
	for _, one := range found[:min(q.limit, len(found))] {
		page = append(page, one.one)
	}
	if len(found) > q.limit {
		next = q.cursor(found[q.limit-1].place)
	}
	return page, next
}
