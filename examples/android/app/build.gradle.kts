plugins {
    id("com.android.application")
}

android {
    namespace = "org.example.connect4"
    compileSdk = 36
    defaultConfig {
        applicationId = "org.example.connect4"
        minSdk = 26
        targetSdk = 36
    }
    // The network is mapped from the APK, so it must be stored there as it is.
    androidResources {
        noCompress += "tflite"
    }
}

dependencies {
    implementation(files("libs/azx-play-0.1.0.aar"))
    implementation("com.google.ai.edge.litert:litert:1.4.2")
    implementation("com.google.ai.edge.litert:litert-api:1.4.2")
}
