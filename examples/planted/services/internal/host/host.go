// Package host runs a service under a steady load that another process makes,
// and stores what the service's profilers say.
package host

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"example.com/services/internal/everyday"
)

// Service is one program: its own handlers, and the requests that reach it.
type Service struct {
	// Routes registers the handlers. upstream is the base URL of the service
	// that this one depends on.
	Routes func(mux *http.ServeMux, upstream string)
	Calls  []Call
	// Everyday is the percentage of requests that go to the everyday pages.
	Everyday int
	// Upstream answers in the other process, by TLS if wanted.
	Upstream    http.Handler
	UpstreamTLS bool
	// Listen serves another protocol besides HTTP. Dial is called in the other
	// process, again and again, at the rate of the load.
	Listen func(listener net.Listener)
	Dial   func(address string) error
}

// Call is a kind of request, weighted against the others.
type Call struct {
	Weight int
	Method string
	// Path may hold one %d, which becomes a random number below Range (10000).
	Path  string
	Range int
	Body  func(number int) []byte
}

// Serve runs a service that depends on no other.
func Serve(everyday int, calls []Call, routes func(mux *http.ServeMux)) {
	Run(Service{
		Everyday: everyday,
		Calls:    calls,
		Routes:   func(mux *http.ServeMux, _ string) { routes(mux) },
	})
}

// clientVariable marks the process that makes the load.
const clientVariable = "SERVICES_CLIENT"

// Run serves until the profiles are stored.
func Run(service Service) {
	log.SetFlags(0)
	if os.Getenv(clientVariable) != "" {
		runClient(service)
		return
	}
	var options options
	flag.IntVar(&options.rate, "rate", 100, "requests per second")
	flag.IntVar(&options.seconds, "seconds", 8, "length of the CPU profile")
	flag.StringVar(&options.out, "out", "", "folder of the profiles")
	types := flag.String("types", "cpu", "profiles to store, with commas between them")
	earlier := flag.String("earlier", "", "profiles to store at the beginning as well")
	flag.Parse()
	options.types = strings.Split(*types, ",")
	if *earlier != "" {
		options.earlier = strings.Split(*earlier, ",")
	}
	enableProfilers(options.types)
	if err := serve(service, options); err != nil {
		log.Fatal(err)
	}
}

func serve(service Service, options options) error {
	client, err := startClient()
	if err != nil {
		return err
	}
	defer client.stop()
	mux := http.NewServeMux()
	everyday.Mount(mux)
	service.Routes(mux, client.upstream)
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go server.Serve(web)
	other := "-"
	if service.Listen != nil {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		go service.Listen(listener)
		other = listener.Addr().String()
	}
	if _, err := fmt.Fprintf(client.input, "%s %s %d\n", web.Addr(), other, options.rate); err != nil {
		return err
	}
	return record(options)
}

// client is the other process.
type client struct {
	command  *exec.Cmd
	input    io.WriteCloser
	upstream string
}

func startClient() (*client, error) {
	binary, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(binary)
	command.Env = append(os.Environ(), clientVariable+"=1")
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return nil, err
	}
	return &client{command: command, input: input, upstream: strings.TrimSpace(line)}, nil
}

func (c *client) stop() {
	c.input.Close()
	c.command.Process.Kill()
	c.command.Wait()
}
