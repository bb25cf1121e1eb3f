import AzxNetwork
import Support
import Testing

@testable import AzxScreens

/// Which of a device's units run a network: what is offered, what was chosen, and what it is called.
@Suite struct UnitsTests {
    @Test func whatADeviceLacksIsNotOffered() {
        #expect(Units.offered(hasGpu: false, hasNeuralEngine: false) == [.cpu, .all])
        #expect(Units.offered(hasGpu: true, hasNeuralEngine: false) == [.cpu, .cpuAndGpu, .all])
        #expect(Units.offered(hasGpu: true, hasNeuralEngine: true) == Units.allCases)
    }

    @Test func whatWasChosenHoldsWhereTheDeviceOffersIt() {
        let offered = Units.offered(hasGpu: true, hasNeuralEngine: false)
        for units in offered { #expect(Units(kept: units.rawValue, offered: offered) == units) }
        #expect(Units(kept: "cpuAndNeuralEngine", offered: offered) == .cpu, "a backup of another device")
        #expect(Units(kept: "of a later app", offered: offered) == .cpu)
    }

    @Test func eachIsCalledOtherwiseInBothLanguages() {
        for catalog in [Catalog.english, .chinese] {
            #expect(Set(Units.allCases.map { catalog.say($0.phrase) }).count == Units.allCases.count)
        }
    }
}
