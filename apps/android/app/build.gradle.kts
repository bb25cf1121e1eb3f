import java.util.Properties

// Everything with a screen or a text. It sees no TFLite: :play keeps that to itself.
plugins {
    alias(libs.plugins.android.application)
}

// 1.2.3 is 10203.
val azxVersion: String = libs.versions.azx.get()
val azxCode: Int = azxVersion.split(".").fold(0) { code, part -> 100 * code + part.toInt() }

// Your key for the store, in a file that git does not know: storeFile, storePassword, keyAlias, keyPassword.
val key = Properties().apply {
    rootProject.file("keystore.properties").takeIf { it.exists() }?.inputStream()?.use { load(it) }
}

android {
    namespace = "org.azx.app"
    compileSdk = 36

    defaultConfig {
        applicationId = "org.azx.app"
        minSdk = 26
        targetSdk = 36
        versionCode = azxCode
        versionName = azxVersion
        ndk {
            abiFilters += listOf("arm64-v8a", "armeabi-v7a", "x86_64")
        }
    }

    signingConfigs {
        if (!key.isEmpty) {
            create("store") {
                storeFile = rootProject.file(key.getProperty("storeFile"))
                storePassword = key.getProperty("storePassword")
                keyAlias = key.getProperty("keyAlias")
                keyPassword = key.getProperty("keyPassword")
            }
        }
    }

    buildTypes {
        release {
            isMinifyEnabled = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"), "proguard-rules.pro")
            // Without a key of your own it is packed unsigned.
            signingConfig = signingConfigs.findByName("store")
        }
    }

    androidResources {
        // The model is mapped from the APK, so it must be stored there as it is.
        noCompress += "tflite"
    }

    // Kotlin is compiled for the same virtual machine.
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }

    testOptions {
        unitTests.all { test ->
            test.systemProperty("azx.root", rootDir.resolve("../..").canonicalPath)
            test.maxHeapSize = "1500m"
        }
    }
}

dependencies {
    implementation(project(":play"))
    testImplementation(testFixtures(project(":play")))
    testImplementation(libs.junit)
    testImplementation(libs.json)
}

val checkBundles = tasks.register("checkBundles") {
    description = "Says how to write the texts, and how to install bundles, where there are none."
    val index = layout.projectDirectory.file("src/main/assets/azx/index.json").asFile
    val texts = layout.projectDirectory.file("src/main/res/values/strings.xml").asFile
    doLast {
        if (!texts.exists()) {
            throw GradleException("The app's texts are not written yet: run `make android` in the repository first.")
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
