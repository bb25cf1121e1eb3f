// The Android plugin compiles Kotlin by itself. It asks for an older Kotlin than pom.xml has: this one is taken.
buildscript {
    dependencies {
        classpath(libs.kotlin.gradle.plugin)
    }
}

plugins {
    alias(libs.plugins.android.application) apply false
    alias(libs.plugins.android.library) apply false
}
