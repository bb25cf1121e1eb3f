package org.azx.app.play

import android.annotation.TargetApi
import android.app.LocaleManager
import android.content.Context
import android.os.Build
import android.os.LocaleList
import java.util.Locale

/** The language of the app: the system's setting for it from Android 13 on, before that the app's own. */
object AppLanguage {
    val isSystems: Boolean get() = Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU

    fun of(context: Context): Language = if (isSystems) SystemLanguage.of(context) else Preferences.of(context).language

    /** Choose a language. A system with this setting makes the screens anew; before Android 13 the caller does. */
    fun choose(context: Context, language: Language) {
        if (isSystems) SystemLanguage.choose(context, language)
        // If the system keeps the language, the app keeps none.
        val own = if (isSystems) Language.SYSTEM else language
        Preferences.of(context).copy(language = own).keep(context)
    }

    /** After an update of the system, hand it the language that was chosen before; its own choice wins. */
    fun handOver(context: Context) {
        val own = Preferences.of(context).language
        if (!isSystems || own == Language.SYSTEM) return
        choose(context, SystemLanguage.of(context).takeIf { it != Language.SYSTEM } ?: own)
    }
}

/** The part of the framework that older Androids lack. */
@TargetApi(Build.VERSION_CODES.TIRAMISU)
private object SystemLanguage {
    fun of(context: Context): Language {
        val chosen = context.getSystemService(LocaleManager::class.java).applicationLocales
        if (chosen.isEmpty) return Language.SYSTEM
        val spoken = chosen[0].language
        return Language.entries.find { it.tag?.let(Locale::forLanguageTag)?.language == spoken } ?: Language.SYSTEM
    }

    fun choose(context: Context, language: Language) {
        val locales = LocaleList.forLanguageTags(language.tag.orEmpty())
        context.getSystemService(LocaleManager::class.java).applicationLocales = locales
    }
}
