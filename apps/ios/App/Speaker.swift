import AVFoundation
import AzxPlay

/// The app's loudspeaker, made at the first tone. As a view's own state it would be made with each value of the view, and
/// an audio engine with it: https://developer.apple.com/documentation/swiftui/state
@MainActor let speaker = Speaker()

/// Plays tones beside whatever else is heard; a device that is switched to silent stays so.
@MainActor final class Speaker {
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let format = AVAudioFormat(standardFormatWithSampleRate: Tone.rate, channels: 1)
    private var isReady = false

    func play(_ tone: Tone) {
        guard let buffer = buffer(tone.samples()), start() else { return }
        player.scheduleBuffer(buffer)
        player.play()
    }

    /// Whether tones can be heard: without a loudspeaker the app stays silent.
    private func start() -> Bool {
        if !isReady {
            engine.attach(player)
            engine.connect(player, to: engine.mainMixerNode, format: format)
            isReady = true
        }
        if engine.isRunning { return true }
        do {
            try AVAudioSession.sharedInstance().setCategory(.ambient)
            try engine.start()
            return true
        } catch {
            return false
        }
    }

    private func buffer(_ samples: [Float]) -> AVAudioPCMBuffer? {
        let count = AVAudioFrameCount(samples.count)
        guard let format, let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: count),
            let channel = buffer.floatChannelData?[0]
        else { return nil }
        channel.update(from: samples, count: samples.count)
        buffer.frameLength = count
        return buffer
    }
}
