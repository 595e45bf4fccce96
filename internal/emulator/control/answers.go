package control

import (
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Hide keeps an answer from the pages of others, whatever they take it for.
func Hide(w http.ResponseWriter) {
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
}

// SendError sends a refusal of the control path.
func SendError(w http.ResponseWriter, err error) {
	if wire.StatusOf(err) == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="neon-emulator"`)
	}
	wire.Send(w, wire.StatusOf(err), wire.Encode(map[string]string{"message": err.Error()}))
}
