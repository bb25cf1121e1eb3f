// What plays without a screen and without a text: engine, bundle, network. For the app, and for your own
// (docs/in-your-app.md).
plugins {
    alias(libs.plugins.android.library)
    `maven-publish`
}

group = "org.azx"
version = libs.versions.azx.get()

android {
    namespace = "org.azx.play"
    compileSdk = 36

    defaultConfig {
        minSdk = 26
        consumerProguardFiles("consumer-rules.pro")
    }

    // Kotlin is compiled for the same virtual machine.
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }

    // What the tests of :app use too.
    testFixtures {
        enable = true
    }

    testOptions {
        unitTests.all { test ->
            test.systemProperty("azx.root", rootDir.resolve("../..").canonicalPath)
            test.maxHeapSize = "1500m"
        }
    }

    publishing {
        singleVariant("release") {
            withSourcesJar()
        }
    }
}

dependencies {
    implementation(libs.litert)
    implementation(libs.litert.api)
    testFixturesImplementation(libs.json)
    testImplementation(libs.junit)
    testImplementation(libs.json)
}

publishing {
    publications.register<MavenPublication>("release") {
        artifactId = "azx-play"
        afterEvaluate { from(components["release"]) }
    }
}

val checkTables = tasks.register("checkTables") {
    description = "Says how to write the tables of the games, where there are none."
    val levels = layout.projectDirectory.file("src/main/resources/azx/levels.json").asFile
    doLast {
        if (!levels.exists()) {
            throw GradleException("The tables are not written yet: run `make android-texts` in the repository first.")
        }
    }
}

tasks.named("preBuild") {
    dependsOn(checkTables)
}
