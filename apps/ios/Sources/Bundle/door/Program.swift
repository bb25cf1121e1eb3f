/// The program of a Core ML model's file, read before Core ML does. It has one function with one list of operations, all on
/// azx's own list, and weights that lie in the package.
///
/// The numbers of members are those of Model.proto and MIL.proto of coremltools.

import AzxEngine

/// Why the door refuses a network's file.
enum DoorRefusal: Error, Equatable {
    /// An operation that is not on the list, by its name.
    case operation(String)
    /// Anything else that is not as azx writes it.
    case form
}

/// A place in the file of weights at which a constant begins, and how many bytes it has by its type and shape.
struct WeightPlace: Equatable {
    let offset: UInt64
    let bytes: UInt64
}

/// The program of a model's file, whose operations are all among `allowed`; `weights` are the places that it names.
struct Program {
    /// iOS 15 to 18: programs, and none newer than those that were examined.
    private static let versions: ClosedRange<UInt64> = 6...9
    private static let mainFunction = "main"
    private static let weightFile = "@model_path/weights/weight.bin"
    /// How many bits a number has, by its type.
    private static let bits: [UInt64: UInt64] = [
        1: 8, 10: 16, 11: 32, 12: 64, 13: 16, 21: 8, 22: 16, 23: 32, 24: 64, 25: 4, 31: 8, 32: 16, 33: 32, 34: 64, 35: 4, 36: 2,
        37: 1, 38: 6, 39: 3, 40: 8, 41: 8,
    ]
    // A value in a list in a dictionary is more than any network has.
    private static let deepest = 8

    private(set) var weights: [WeightPlace] = []
    private let allowed: Set<String>

    /// DoorRefusal if the file is not such a program.
    init(_ bytes: [UInt8], allowed: Set<String>) throws(DoorRefusal) {
        self.allowed = allowed
        do {
            try read(bytes[...])
        } catch let error as DoorRefusal {
            throw error
        } catch {
            throw .form
        }
    }

    /// Of the many kinds of models only a program is read: no pipeline, layers, custom or linked model, nothing that learns.
    private mutating func read(_ bytes: ArraySlice<UInt8>) throws {
        let model = try Message(bytes, whole: [1], once: [2, 502])
        guard Self.versions.contains(model.whole(1)), let description = model.part(2), let program = model.part(502)
        else { throw DoorRefusal.form }
        // Inputs, outputs, what a classifier calls them, metadata: no states and no choice of functions.
        _ = try Message(description, once: [11, 12, 100], many: [1, 10])
        let members = try Message(program, whole: [1], once: [3], many: [2, 4])
        try readValues(members, 4)
        let functions = try members.entries(2)
        guard functions.count == 1, functions[0].key == Self.mainFunction else { throw DoorRefusal.form }
        try readFunction(functions[0].value)
    }

    private mutating func readFunction(_ bytes: ArraySlice<UInt8>) throws {
        let function = try Message(bytes, once: [2], many: [1, 3, 4])
        try function.all(1).forEach(Self.readType)
        try readValues(function, 4)
        // With several of them the system chooses which one runs.
        let blocks = try function.entries(3)
        guard blocks.count == 1, blocks[0].key == (try function.text(2)) else { throw DoorRefusal.form }
        let block = try Message(blocks[0].value, many: [2, 3, 4])
        try readValues(block, 4)
        for operation in block.all(3) { try readOperation(operation) }
    }

    /// An operation with blocks of its own, a loop or a choice, has a member 4.
    private mutating func readOperation(_ bytes: ArraySlice<UInt8>) throws {
        let operation = try Message(bytes, once: [1], many: [2, 3, 4, 5])
        let type = try operation.text(1)
        if !allowed.contains(type) || !operation.all(4).isEmpty { throw DoorRefusal.operation(type) }
        try operation.all(3).forEach(Self.readType)
        try readValues(operation, 5)
        for argument in try operation.entries(2) {
            for binding in try Message(argument.value, many: [1]).all(1) {
                if let value = try Message(binding, once: [1, 2]).part(2) { try readValue(value, depth: 0) }
            }
        }
    }

    /// A name with its type: any but a state (5), which would outlive a position.
    private static func readType(_ bytes: ArraySlice<UInt8>) throws {
        guard let type = try Message(bytes, once: [1, 2]).part(2) else { throw DoorRefusal.form }
        _ = try Message(type, once: [1, 2, 3, 4])
    }

    /// The values of a map with texts as keys.
    private mutating func readValues(_ message: Message, _ number: Int) throws {
        for entry in try message.entries(number) { try readValue(entry.value, depth: 0) }
    }

    /// A value is in place (3), or lies in the file of weights (5).
    private mutating func readValue(_ bytes: ArraySlice<UInt8>, depth: Int) throws {
        let value = try Message(bytes, once: [1, 2, 3, 5])
        if depth > Self.deepest || (value.part(3) != nil && value.part(5) != nil) { throw DoorRefusal.form }
        if let place = value.part(5) { try readPlace(place, type: value.part(2)) }
        guard let inPlace = value.part(3) else { return }
        // A tensor (1) is numbers and nothing else; of a tuple, a list and a dictionary each value is one.
        let members = try Message(inPlace, once: [1, 2, 3, 4])
        for list in [members.part(2), members.part(3)].compactMap({ $0 }) {
            for each in try Message(list, many: [1]).all(1) { try readValue(each, depth: depth + 1) }
        }
        guard let dictionary = members.part(4) else { return }
        for pair in try Message(dictionary, many: [1]).all(1) {
            let both = try Message(pair, once: [1, 2])
            for each in [both.part(1), both.part(2)].compactMap({ $0 }) { try readValue(each, depth: depth + 1) }
        }
    }

    private mutating func readPlace(_ bytes: ArraySlice<UInt8>, type: ArraySlice<UInt8>?) throws {
        let place = try Message(bytes, whole: [2], once: [1])
        guard let type, try place.text(1) == Self.weightFile else { throw DoorRefusal.form }
        weights.append(WeightPlace(offset: place.whole(2), bytes: try Self.size(type)))
    }

    /// How many bytes a tensor has whose every axis is known.
    private static func size(_ type: ArraySlice<UInt8>) throws -> UInt64 {
        guard let tensor = try Message(type, once: [1]).part(1) else { throw DoorRefusal.form }
        let members = try Message(tensor, whole: [1, 2], many: [3])
        guard var size = bits[members.whole(1)] else { throw DoorRefusal.form }
        for dimension in members.all(3) {
            let length = try Message(dimension, once: [1]).part(1).map { try Message($0, whole: [1]).whole(1) }
            let (product, isTooLarge) = size.multipliedReportingOverflow(by: length ?? 0)
            if length == nil || isTooLarge { throw DoorRefusal.form }
            size = product
        }
        return size / 8 + (size % 8 == 0 ? 0 : 1)
    }
}
