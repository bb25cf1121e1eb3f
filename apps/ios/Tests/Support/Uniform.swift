import AzxEngine

/// A network that costs nothing: every state is even, every action as good as the others.
public struct Uniform: Evaluator {
    public init() {}

    public func evaluate(_: any State) -> Evaluation {
        Evaluation(value: 0, policy: nil, logits: false)
    }
}
