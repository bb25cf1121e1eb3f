package org.azx.app.screens

import android.content.Context
import android.util.TypedValue
import android.view.View
import android.view.ViewGroup
import android.widget.AdapterView
import android.widget.ArrayAdapter
import android.widget.ScrollView
import android.widget.Spinner
import android.widget.TextView

/** The colour that the theme of a screen gives `role`, one of res/values/attrs.xml. */
fun Context.colourOf(role: Int): Int = TypedValue().run {
    check(theme.resolveAttribute(role, this, true)) { "the theme has no '${resources.getResourceEntryName(role)}'" }
    data
}

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

/** Let texts grow by a person's size of text up to `most` times, but for those that scroll. */
fun View.limitText(most: Float) {
    val scale = resources.configuration.fontScale
    if (scale <= most || this is ScrollView) return
    if (this is TextView) setTextSize(TypedValue.COMPLEX_UNIT_PX, textSize * most / scale)
    if (this is ViewGroup) for (at in 0 until childCount) getChildAt(at).limitText(most)
}

/** Offer `choices`, `words` for each; `choose` hears of the one that is selected. */
fun <Choice> Spinner.offer(choices: List<Choice>, words: (Choice) -> String, choose: (Choice) -> Unit) {
    val names = ArrayAdapter(context, android.R.layout.simple_spinner_item, choices.map(words))
    names.setDropDownViewResource(android.R.layout.simple_spinner_dropdown_item)
    adapter = names
    onItemSelectedListener = object : AdapterView.OnItemSelectedListener {
        override fun onItemSelected(parent: AdapterView<*>, view: View?, position: Int, id: Long) =
            choose(choices[position])

        override fun onNothingSelected(parent: AdapterView<*>) = Unit
    }
}
