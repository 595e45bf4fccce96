package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"
)

// neonHost is the address that other providers have fixed in their code.
const neonHost = "console.neon.tech"

// impostor is a proxy that answers for Neon's own host with an emulated platform. Only a
// program that is told of its certificate and address takes it for Neon.
type impostor struct {
	proxy, platform *http.Server
	// variables make a Go program use it.
	variables map[string]string
}

func startImpostor(p *platform, certificateFile string) (*impostor, error) {
	certificate, err := certify(neonHost, certificateFile)
	if err != nil {
		return nil, err
	}
	secure, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12})
	if err != nil {
		return nil, err
	}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, secure.Close())
	}
	i := &impostor{
		platform:  &http.Server{Handler: asLoopback(p.emulator), ReadHeaderTimeout: 10 * time.Second},
		proxy:     &http.Server{Handler: tunnelTo(secure.Addr().String()), ReadHeaderTimeout: 10 * time.Second},
		variables: map[string]string{"HTTPS_PROXY": "http://" + plain.Addr().String(), "NO_PROXY": "", "SSL_CERT_FILE": certificateFile},
	}
	go func() { _ = i.platform.Serve(secure) }() // Both end when they are closed.
	go func() { _ = i.proxy.Serve(plain) }()
	return i, nil
}

func (i *impostor) close() error { return errors.Join(i.proxy.Close(), i.platform.Close()) }

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
