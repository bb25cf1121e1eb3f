package org.azx.app.screens

import android.app.Activity
import android.content.Context
import android.text.Editable
import android.text.TextWatcher
import android.util.TypedValue
import android.view.LayoutInflater
import android.view.View
import android.view.ViewGroup
import android.view.accessibility.AccessibilityNodeInfo
import android.widget.AdapterView
import android.widget.ArrayAdapter
import android.widget.EditText
import android.widget.ScrollView
import android.widget.Spinner
import android.widget.TextView
import kotlin.math.max

/** The colour that the theme of a screen gives `role`, one of res/values/attrs.xml. */
fun Context.colourOf(role: Int): Int = TypedValue().run {
    check(theme.resolveAttribute(role, this, true)) { "the theme has no '${resources.getResourceEntryName(role)}'" }
    data
}

/** Do this when a person presses the button. */
fun Activity.on(id: Int, act: () -> Unit) = findViewById<View>(id).setOnClickListener { act() }

/** Put `text` there unless it is there: a screen reader says what changes. */
fun TextView.say(text: String) {
    if (this.text.toString() != text) this.text = text
}

/** Put `text` there, or take no room if there is none. */
fun TextView.sayIf(text: String?) {
    say(text.orEmpty())
    showIf(!text.isNullOrEmpty())
}

/** Show the view, or take no room for it. */
fun View.showIf(isWanted: Boolean) {
    visibility = if (isWanted) View.VISIBLE else View.GONE
}

/** Let the button be pressed; one that cannot be is pale. */
fun View.enable(isPossible: Boolean) {
    isEnabled = isPossible
    alpha = if (isPossible) 1f else 0.4f
}

/** Add a view of this layout behind those that are there. */
fun <Made : View> ViewGroup.add(layout: Int): Made {
    val made = LayoutInflater.from(context).inflate(layout, this, false)
    addView(made)
    @Suppress("UNCHECKED_CAST")
    return made as Made
}

/** Call `hear` whenever the text has changed. */
fun EditText.onChange(hear: () -> Unit) = addTextChangedListener(
    object : TextWatcher {
        override fun afterTextChanged(text: Editable) = hear()

        override fun beforeTextChanged(text: CharSequence, start: Int, count: Int, after: Int) = Unit

        override fun onTextChanged(text: CharSequence, start: Int, before: Int, count: Int) = Unit
    },
)

/** The words that a search looks for, in small letters. */
fun wordsIn(text: CharSequence): List<String> =
    text.toString().lowercase().split(Regex("\\s+")).filter { it.isNotEmpty() }

/** Let texts grow with the system's text size, up to `most` times; texts that scroll may grow further. */
fun View.limitText(most: Float) {
    val scale = resources.configuration.fontScale
    if (scale <= most || this is ScrollView) return
    if (this is TextView) setTextSize(TypedValue.COMPLEX_UNIT_PX, textSize * most / scale)
    if (this is ViewGroup) for (at in 0 until childCount) getChildAt(at).limitText(most)
}

/** Let `say` tell a screen reader more of the view. */
fun View.onNodeInfo(say: (AccessibilityNodeInfo) -> Unit) {
    accessibilityDelegate = object : View.AccessibilityDelegate() {
        override fun onInitializeAccessibilityNodeInfo(host: View, info: AccessibilityNodeInfo) {
            super.onInitializeAccessibilityNodeInfo(host, info)
            say(info)
        }
    }
}

/** Offer `choices`, `words` for each; `choose` hears of the one that is selected, which is `chosen` at first. */
fun <Choice> Spinner.offer(
    choices: List<Choice>,
    words: (Choice) -> String,
    chosen: Choice? = null,
    choose: (Choice) -> Unit,
) {
    val names = ArrayAdapter(context, android.R.layout.simple_spinner_item, choices.map(words))
    names.setDropDownViewResource(android.R.layout.simple_spinner_dropdown_item)
    adapter = names
    onItemSelectedListener = object : AdapterView.OnItemSelectedListener {
        override fun onItemSelected(parent: AdapterView<*>, view: View?, position: Int, id: Long) =
            choose(choices[position])

        override fun onNothingSelected(parent: AdapterView<*>) = Unit
    }
    if (chosen != null) setSelection(max(0, choices.indexOf(chosen)))
}
