package control

// Requests are the requests to both APIs (the control path).
type Requests struct {
	Total    int            `json:"total"`
	ByRoute  map[string]int `json:"by_route"`
	ByStatus map[string]int `json:"by_status"`
}

// NewRequests has none.
func NewRequests() Requests {
	return Requests{ByRoute: map[string]int{}, ByStatus: map[string]int{}}
}
