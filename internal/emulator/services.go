package emulator

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// services are those of a branch that have hosts of their own, by a label of these, with what is said there.
// Applications send files and passwords to such addresses, so that they lead to this machine as well, though nothing
// takes them here.
var services = map[string]string{
	"storage": "the emulator doesn't speak S3; objects are written and read at the addresses that POST " +
		".../objects/{object_key}/presign returns",
	"ai":       "the emulator has no AI gateway: nothing answers prompts",
	"neonauth": "the emulator only records Neon Auth's settings and users: nobody can sign up or in",
	"apirest":  "the emulator only records the Data API's settings: it answers no queries over REST",
	"compute":  "the emulator only records functions: it runs no code",
}

// serviceURL is the address of a branch's service, without a slash at its end: a host of Neon's shape, with the port
// that the emulator is known by. It speaks no TLS there.
func (e *Emulator) serviceURL(c *call, host, service string) string {
	address := "http://" + host + "." + service + "." + c.project.proxyHost()
	if base, err := url.Parse(e.baseURLFor(c.Request)); err == nil && base.Port() != "" {
		address += ":" + base.Port()
	}
	return address
}

// computeHost begins the hosts of what a branch serves by its first compute, or else by itself.
func (p *project) computeHost(b *branch) string {
	if through := p.readWriteEndpoint(b.ID); through != nil {
		return through.ID
	}
	return b.ID
}

// wantedService is what is said to a request to a branch's service; empty for all others.
func wantedService(r *http.Request) string {
	host, isOurs := strings.CutSuffix(strings.ToLower(hostname(r.Host)), "."+domain)
	labels := strings.Split(host, ".")
	if !isOurs || len(labels) != 4 {
		return ""
	}
	return services[labels[1]]
}

func refuseService(said string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		control.SendError(w, wire.Refuse(http.StatusNotImplemented, "%s", said))
	}
}
