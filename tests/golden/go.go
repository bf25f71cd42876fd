// Package shop is a sample: each fact of the model once.
package shop

import (
	"errors"
	"fmt"
	. "math"
	_ "net/http/pprof"

	db "example.com/shop/storage"
)

// Kind is a name for a number.
type Kind int

const (
	Retail Kind = iota
	Wholesale
)

var limit, retries = 3, 2

var rates = map[string]float64{
	"de": 1.19,
	"fr": 1.2,
}

type Logger = fmt.Stringer

type Base struct{ id string }

// Store keeps orders.
type Store struct {
	Base
	*db.Conn
	open, closed bool
	items        []Item[string]
}

type Item[T any] struct{ value T }

type Closer interface {
	Close() error
}

var ErrClosed = errors.New("closed")

func New(name string, strict, dry bool, extra ...Option) (*Store, error) {
	conn, err := db.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	_ = conn.Ping()
	first, _ := conn.First()
	s := &Store{Conn: conn, open: true}
	s.items = append(s.items, first)
	return s, nil
}

func (s *Store) Total(kind Kind) (sum float64, err error) {
	if s.closed || !s.open && kind == Retail {
		return 0, ErrClosed
	}
outer:
	for _, item := range s.items {
		switch v := s.price(item).(type) {
		case int, float64:
			sum += Abs(rate(v))
		case nil:
			continue outer
		default:
			break outer
		}
	}
	if sum, err = s.round(sum); err != nil {
		return
	}
	return sum, nil
}

func (s *Store) walk(depth int) int {
	if depth == 0 {
		goto done
	} else if depth > limit {
		return -1
	} else {
		return s.walk(depth-1) + 1
	}
done:
	return 0
}

func (*Store) sync(ids []string) {
	jobs := make(chan string)
	go func() {
		for _, id := range ids {
			jobs <- id
		}
	}()
	defer close(jobs)
	handle := func(id string) error {
		if err := db.Save(id); err != nil {
			return nil
		}
		return nil
	}
	for {
		select {
		case id := <-jobs:
			if err := handle(id); errors.Is(err, ErrClosed) {
				break
			} else if err != nil {
				retries--
				panic(err)
			}
		}
	}
}

func last(ids []string) string {
	err := db.Check(os.Getenv("SHOP_TOKEN"))
	switch {
	case err != nil:
		log.Print(err)
	}
	for _, id := range ids {
		if err = db.Save(id); err != nil {
			break
		}
	}
	if err == nil {
		return ids[0]
	} else {
		return ""
	}
}

func TestStore(t *testing.T) {
	t.Run("keeps orders", func(t *testing.T) {
		want := Store{}
		if got, _ := New("x", true, false); got == nil {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

var command = &cobra.Command{
	Use: "shop",
	RunE: func(cmd *cobra.Command, args []string) error {
		return run(cmd, args, db.Default)
	},
}
