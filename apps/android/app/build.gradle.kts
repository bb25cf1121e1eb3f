import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    alias(libs.plugins.android.application)
    alias(libs.plugins.kotlin.android)
}

android {
    namespace = "org.azx.app"
    compileSdk = 36

    defaultConfig {
        applicationId = "org.azx.app"
        minSdk = 26
        targetSdk = 36
        versionCode = 1
        versionName = "0.1.0"
        ndk {
            abiFilters += listOf("arm64-v8a", "armeabi-v7a", "x86_64")
        }
    }

    androidResources {
        // The model is mapped from the APK, so it must be stored there as it is.
        noCompress += "tflite"
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }

    // The other rooms are the library's, their tables too.
    sourceSets.named("main") {
        kotlin.setSrcDirs(listOf("play", "screens").map { "src/main/kotlin/org/azx/app/$it" })
        resources.setSrcDirs(emptyList<String>())
    }
    sourceSets.named("test") {
        kotlin.setSrcDirs(listOf("play", "support").map { "src/test/kotlin/org/azx/app/$it" })
    }

    testOptions {
        unitTests.all { test ->
            test.systemProperty("azx.root", rootDir.resolve("../..").canonicalPath)
            test.maxHeapSize = "1500m"
        }
    }
}

kotlin {
    compilerOptions {
        jvmTarget = JvmTarget.JVM_1_8
    }
}

dependencies {
    implementation(project(":library"))
    testImplementation(libs.junit)
    testImplementation(libs.json)
}

val checkBundles = tasks.register("checkBundles") {
    description = "Says how to write the texts, and how to install bundles, where there are none."
    val index = layout.projectDirectory.file("src/main/assets/azx/index.json").asFile
    val texts = layout.projectDirectory.file("src/main/res/values/strings.xml").asFile
    doLast {
        if (!texts.exists()) {
            throw GradleException(
                "The app's texts and tables are not written yet: run `make android` in the repository first.",
            )
        }
        if (!index.exists()) {
            logger.warn(
                "No bundle is installed, so the app lists no game: " +
                    "run `make android`, or `azx install BUNDLE apps/android`.",
            )
        }
    }
}

tasks.named("preBuild") {
    dependsOn(checkBundles)
}
