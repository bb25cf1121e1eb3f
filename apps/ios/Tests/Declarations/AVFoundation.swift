// Declarations of the names of AVFoundation that the app uses, written from their documentation, for tools/app.sh alone.
// That the sources agree with them says nothing about the real framework. Nothing here does anything.

@_exported import Foundation

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void

/// https://developer.apple.com/documentation/avfaudio/avaudioformat (iOS 8)
public class AVAudioFormat {
    public init?(standardFormatWithSampleRate: Double, channels: AVAudioChannelCount) {}
}
/// https://developer.apple.com/documentation/avfaudio/avaudiopcmbuffer (iOS 8)
public class AVAudioPCMBuffer {
    public init?(pcmFormat: AVAudioFormat, frameCapacity: AVAudioFrameCount) {}
    public var frameLength: AVAudioFrameCount = 0
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { nil }
}
/// https://developer.apple.com/documentation/avfaudio/avaudionode (iOS 8)
public class AVAudioNode {
    init() {}
}
/// https://developer.apple.com/documentation/avfaudio/avaudiomixernode (iOS 8)
public class AVAudioMixerNode: AVAudioNode {}
/// https://developer.apple.com/documentation/avfaudio/avaudioplayernode (iOS 8)
public class AVAudioPlayerNode: AVAudioNode {
    public override init() { super.init() }
    public func scheduleBuffer(
        _: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {}
    public func play() {}
}
/// https://developer.apple.com/documentation/avfaudio/avaudioengine (iOS 8)
public class AVAudioEngine {
    public init() {}
    public var isRunning: Bool { false }
    public var mainMixerNode: AVAudioMixerNode { fatalError() }
    public func attach(_: AVAudioNode) {}
    public func connect(_: AVAudioNode, to: AVAudioNode, format: AVAudioFormat?) {}
    public func start() throws {}
}
/// https://developer.apple.com/documentation/avfaudio/avaudiosession (iOS 3)
public class AVAudioSession {
    public struct Category: Sendable {
        public static let ambient = Category()
    }
    public class func sharedInstance() -> AVAudioSession { fatalError() }
    public func setCategory(_: Category) throws {}
}
