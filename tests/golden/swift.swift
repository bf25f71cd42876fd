/* A sample of everything
   the facts hold. */
import Foundation
@_exported import Models
@testable import struct Core.Account
#if canImport(UIKit)
import UIKit
#endif

/// What can go wrong.
enum StoreError: Error, Equatable {
    case missing
    case status(code: Int)

    var isFatal: Bool { self == .missing }
}

protocol Storing: AnyObject {
    var name: String { get }
    func load(_ id: Int) async throws -> Account?
}

typealias Done = (Result<Account, Error>) -> Void

let limit = 20
let defaults = [
    "a": 1,
    "b": 2,
    "c": 3,
]

@MainActor
final class Store<Item: Codable>: Base<Item>, Storing {
    static let shared = Store()
    private var cache: [Int: Account] = [:], hits = 0
    @Published var title: String? {
        didSet { render() }
    }
    lazy var queue: Queue = {
        let made = Queue(label: "store.queue")
        return made
    }()

    var name: String {
        get { title ?? "none" }
        set { title = newValue }
    }

    init(client: Client, open: Bool = true) {
        self.client = client
        super.init(client: client, open: open)
    }

    deinit {
        queue.stop()
    }

    subscript(id: Int) -> Account? {
        cache[id]
    }

    func load(_ id: Int) async throws -> Account? {
        guard let key = try? encode(id), key.count > 0 else { return nil }
        do {
            let found = try await client.fetch(key)
            cache[id] = found
            return found
        } catch let error as StoreError where error.isFatal {
            throw error
        } catch StoreError.status(let code) {
            print("status \(describe(code))")
        } catch is CancellationError {
            return nil
        } catch {
        }
        try? client.reset()
        _ = try? await client.flush()
        return Models.Account()
    }

    func total(of rows: Row..., by kind: Kind, _ done: @escaping Done) -> Int {
        var sum = 0
        outer: for row in rows where row.isOpen {
            if row.a > 0 && row.b > 0 || row.c {
                sum += row.a
            } else if row.d {
                continue outer
            } else {
                break
            }
            switch kind {
            case .plain, .other: sum -= 1
            case let .many(count) where count > 1:
                sum += row.parts.map { $0.weight > 1 ? 1 : 2 }.reduce(0, +)
            default: fatalError("no kind")
            }
        }
        repeat { hits += 1 } while hits < limit
        queue.async { [weak self] in
            if let title = self?.title {
                self?.send(title, then: {
                    done(.success(()))
                })
            }
        }
        return rows.isEmpty ? 0 : total(of: rows[0], by: kind, done)
    }
}

extension Store: CustomStringConvertible {
    struct Key { let id: Int }

    var description: String { "\(name): \(hits)" }
}

extension Core.Account {
    func archived() -> Self { self }
}

final class StoreTests: XCTestCase {
    func testLoads() throws {
        XCTAssertEqual(Store.shared.name, "none")
    }

    @Test("adds two numbers", .tags(.fast)) func adds() async {
        #expect(1 + 1 == 2)
    }
}
