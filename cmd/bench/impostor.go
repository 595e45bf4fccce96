package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"
)

// neonHost is the address that other providers have fixed in their code.
const neonHost = "console.neon.tech"

// startImpostor starts a proxy that answers for Neon's own host with the platform. Only a program that is told
// of its certificate and address takes it for Neon: the variables that it returns tell one in Go.
func (b *bench) startImpostor(p *platform) (map[string]string, error) {
	file := filepath.Join(b.folder, "neon.pem")
	certificate, err := certify(neonHost, file)
	if err != nil {
		return nil, err
	}
	secure := httptest.NewUnstartedServer(asLoopback(p.emulator))
	secure.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	secure.StartTLS()
	proxy := httptest.NewServer(tunnelTo(secure.Listener.Addr().String()))
	b.cleanup = append(b.cleanup, func() error {
		proxy.Close()
		secure.Close()
		return nil
	})
	return map[string]string{"HTTPS_PROXY": proxy.URL, "NO_PROXY": "", "SSL_CERT_FILE": file}, nil
}

// asLoopback serves requests for Neon's host, which an emulator refuses under that name.
func asLoopback(emulated http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Host = "localhost"
		emulated.ServeHTTP(w, r)
	}
}

// tunnelTo leads every CONNECT for Neon's host to one address.
func tunnelTo(address string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		hijacker, ok := w.(http.Hijacker)
		if r.Method != http.MethodConnect || r.Host != neonHost+":443" || !ok {
			http.Error(w, "only "+neonHost+" is served", http.StatusForbidden)
			return
		}
		behind, err := new(net.Dialer).DialContext(r.Context(), "tcp", address)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		client, _, err := hijacker.Hijack()
		if err == nil {
			_, err = io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
		}
		if err != nil {
			_ = behind.Close()
			return
		}
		stop := context.AfterFunc(r.Context(), func() { _ = client.Close() })
		go func() {
			defer stop()
			_, _ = io.Copy(behind, client) // Its end is that of either connection.
			_ = behind.Close()
		}()
		_, _ = io.Copy(client, behind)
		_ = client.Close()
	}
}

// certify makes a certificate for a host that vouches for itself, and writes it to a file.
func certify(host, file string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	return tls.Certificate{Certificate: [][]byte{signed}, PrivateKey: key}, os.WriteFile(file, text, 0o600)
}
