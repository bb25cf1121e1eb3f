package org.azx.app.screens

import android.app.Activity
import android.content.ClipData
import android.content.ContentResolver
import android.net.Uri
import android.view.DragEvent
import android.view.View
import org.azx.app.R

/** Lets a person drop files, or a text, of another app anywhere on a screen; `take` hears of them. */
class DropTarget(private val activity: Activity, private val take: (ClipData) -> Unit) : View.OnDragListener {
    private val screen = activity.findViewById<View>(android.R.id.content).also { it.setOnDragListener(this) }

    override fun onDrag(view: View, event: DragEvent): Boolean {
        when (event.action) {
            // What is dragged within this app is a text on its way into a field.
            DragEvent.ACTION_DRAG_STARTED -> return event.localState == null
            DragEvent.ACTION_DRAG_ENTERED -> mark(true)
            DragEvent.ACTION_DRAG_EXITED, DragEvent.ACTION_DRAG_ENDED -> mark(false)
            DragEvent.ACTION_DROP -> drop(event)
        }
        return true
    }

    /** The files may be read while the screen is there. */
    private fun drop(event: DragEvent) {
        mark(false)
        activity.requestDragAndDropPermissions(event)
        event.clipData?.let(take)
    }

    private fun mark(isOver: Boolean) {
        screen.foreground = if (isOver) DropMark(activity, activity.getString(R.string.drop_here)) else null
    }
}

/** The files of what was dropped, each of them another app's to give. */
val ClipData.files: List<Uri>
    get() = items.mapNotNull { it.uri }.filter { it.scheme == ContentResolver.SCHEME_CONTENT }

/** The text of what was dropped, if that is one; empty if it is not. */
val ClipData.words: String get() = items.firstNotNullOfOrNull { it.text }?.toString().orEmpty()

private val ClipData.items: List<ClipData.Item> get() = List(itemCount, ::getItemAt)
