import org.jetbrains.kotlin.gradle.dsl.JvmTarget

// What plays without a screen and without a text: for the app, and for your own (docs/in-your-app.md). Its sources lie where
// the app's do, a folder for each room.
plugins {
    alias(libs.plugins.android.library)
    alias(libs.plugins.kotlin.android)
    `maven-publish`
}

group = "org.azx"
version = "0.1.0"

val rooms = listOf("engine", "bundle", "network")

android {
    namespace = "org.azx.library"
    compileSdk = 36

    defaultConfig {
        minSdk = 26
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }

    sourceSets.named("main") {
        kotlin.setSrcDirs(rooms.map { "../app/src/main/kotlin/org/azx/app/$it" })
        resources.setSrcDirs(listOf("../app/src/main/resources"))
    }
    sourceSets.named("test") {
        kotlin.setSrcDirs(listOf("engine", "support").map { "../app/src/test/kotlin/org/azx/app/$it" })
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

kotlin {
    compilerOptions {
        jvmTarget = JvmTarget.JVM_1_8
    }
}

dependencies {
    implementation(libs.litert)
    implementation(libs.litert.api)
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
    val levels = layout.projectDirectory.file("../app/src/main/resources/azx/levels.json").asFile
    doLast {
        if (!levels.exists()) {
            throw GradleException("The tables are not written yet: run `make android-texts` in the repository first.")
        }
    }
}

tasks.named("preBuild") {
    dependsOn(checkTables)
}
