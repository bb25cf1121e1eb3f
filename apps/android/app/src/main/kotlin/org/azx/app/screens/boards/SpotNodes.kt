/** The board as TalkBack sees it: a button for each spot. */
package org.azx.app.screens.boards

import android.content.Context
import android.graphics.Rect
import android.graphics.RectF
import android.os.Bundle
import android.view.MotionEvent
import android.view.View
import android.view.accessibility.AccessibilityEvent
import android.view.accessibility.AccessibilityManager
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction
import android.view.accessibility.AccessibilityNodeProvider
import android.widget.Button
import org.azx.app.R

/** The virtual views of a board, numbered as its spots are. */
internal class SpotNodes(private val board: BoardView) : AccessibilityNodeProvider() {
    private val manager = board.context.getSystemService(Context.ACCESSIBILITY_SERVICE) as AccessibilityManager
    private var focused = BoardView.NONE
    private var hovered = BoardView.NONE
    private val bounds = RectF()
    private val rounded = Rect()
    private val corner = IntArray(2)

    override fun createAccessibilityNodeInfo(virtualViewId: Int): AccessibilityNodeInfo? = when (virtualViewId) {
        HOST_VIEW_ID -> whole()
        in 0 until board.spots -> spot(virtualViewId)
        else -> null
    }

    @Suppress("DEPRECATION") // obtain: the constructors need API 30.
    private fun whole(): AccessibilityNodeInfo = AccessibilityNodeInfo.obtain(board).apply {
        board.onInitializeAccessibilityNodeInfo(this)
        contentDescription = board.title()
        // The spots are what can be played.
        isClickable = false
        removeAction(AccessibilityAction.ACTION_CLICK)
        for (spot in 0 until board.spots) addChild(board, spot)
    }

    @Suppress("DEPRECATION")
    private fun spot(spot: Int): AccessibilityNodeInfo = AccessibilityNodeInfo.obtain(board, spot).apply {
        setParent(board)
        packageName = board.context.packageName
        className = Button::class.java.name
        contentDescription = board.describe(spot)
        isEnabled = board.isEnabled
        isVisibleToUser = board.isShown
        isFocusable = true
        isFocused = board.isFocused && board.cursor == spot
        isClickable = true
        addAction(AccessibilityAction.ACTION_CLICK)
        markFocus(this, spot)
        place(this, spot)
    }

    private fun markFocus(info: AccessibilityNodeInfo, spot: Int) {
        val isFocused = spot == focused
        info.isAccessibilityFocused = isFocused
        info.addAction(
            if (isFocused) {
                AccessibilityAction.ACTION_CLEAR_ACCESSIBILITY_FOCUS
            } else {
                AccessibilityAction.ACTION_ACCESSIBILITY_FOCUS
            },
        )
    }

    // The bounds in the parent are deprecated since Android 10, and expected before.
    @Suppress("DEPRECATION")
    private fun place(info: AccessibilityNodeInfo, spot: Int) {
        board.boundsOf(spot, bounds)
        bounds.round(rounded)
        info.setBoundsInParent(rounded)
        board.getLocationOnScreen(corner)
        rounded.offset(corner[0], corner[1])
        info.setBoundsInScreen(rounded)
    }

    override fun performAction(virtualViewId: Int, action: Int, arguments: Bundle?): Boolean {
        if (virtualViewId == HOST_VIEW_ID) return board.performAccessibilityAction(action, arguments)
        if (virtualViewId !in 0 until board.spots) return false
        return when (action) {
            AccessibilityNodeInfo.ACTION_CLICK -> click(virtualViewId)
            AccessibilityNodeInfo.ACTION_ACCESSIBILITY_FOCUS -> focus(virtualViewId)
            AccessibilityNodeInfo.ACTION_CLEAR_ACCESSIBILITY_FOCUS -> unfocus(virtualViewId)
            else -> false
        }
    }

    private fun click(spot: Int): Boolean {
        tell(spot, AccessibilityEvent.TYPE_VIEW_CLICKED)
        board.choose(spot)
        return true
    }

    /** TalkBack's focus, which is not the keys'; true if it has moved, as TalkBack wants to be told. */
    private fun focus(spot: Int): Boolean {
        if (focused == spot) return false
        unfocus(focused)
        focused = spot
        board.invalidate()
        tell(spot, AccessibilityEvent.TYPE_VIEW_ACCESSIBILITY_FOCUSED)
        return true
    }

    private fun unfocus(spot: Int): Boolean {
        if (focused != spot || spot == BoardView.NONE) return false
        focused = BoardView.NONE
        board.invalidate()
        tell(spot, AccessibilityEvent.TYPE_VIEW_ACCESSIBILITY_FOCUS_CLEARED)
        return true
    }

    override fun findFocus(focus: Int): AccessibilityNodeInfo? = when (focus) {
        AccessibilityNodeInfo.FOCUS_ACCESSIBILITY -> if (focused in 0 until board.spots) spot(focused) else null
        AccessibilityNodeInfo.FOCUS_INPUT -> if (board.isFocused) spot(board.cursor) else null
        else -> null
    }

    /** Tell which spot a finger explores; false if nobody explores by touch. */
    fun hover(event: MotionEvent): Boolean {
        if (!manager.isEnabled || !manager.isTouchExplorationEnabled) return false
        val isOver = event.actionMasked == MotionEvent.ACTION_HOVER_EXIT
        val spot = if (isOver) BoardView.NONE else board.spotAt(event.x, event.y)
        if (spot == hovered) return spot != BoardView.NONE
        val before = hovered
        hovered = spot
        // The new one first: the order in which the framework's own views tell it.
        tell(spot, AccessibilityEvent.TYPE_VIEW_HOVER_ENTER)
        tell(before, AccessibilityEvent.TYPE_VIEW_HOVER_EXIT)
        return true
    }

    /** Tell that the keys have reached a spot. */
    fun tellFocus(spot: Int) = tell(spot, AccessibilityEvent.TYPE_VIEW_FOCUSED)

    /** Tell that another position is shown, and say the new move and the row that it has won with. */
    fun tellChange(before: Shown?, now: Shown) {
        if (!manager.isEnabled) return
        tell(View.NO_ID, AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED)
        val last = now.last ?: return
        if (before == null || before.state === now.state || now.state.lastAction != last) return
        // After an undo the last move is no news, and could not have been played before.
        if (before.state.whyIllegal(last) != null) return
        val resources = board.resources
        val said = listOfNotNull(board.announce(last), lineWords(resources, now.state))
        if (said.isEmpty()) return
        // Deprecated for what a live region says by itself; a board is no text that could change.
        @Suppress("DEPRECATION")
        board.announceForAccessibility(said.joinToString(resources.getString(R.string.board_comma)))
    }

    /** Send an event of a spot, or of the whole board where `spot` is View.NO_ID. */
    @Suppress("DEPRECATION")
    private fun tell(spot: Int, type: Int) {
        val isChange = type == AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED
        if (!manager.isEnabled || (spot == BoardView.NONE && !isChange)) return
        val event = AccessibilityEvent.obtain(type)
        event.packageName = board.context.packageName
        event.className = Button::class.java.name
        if (isChange) {
            event.contentChangeTypes = AccessibilityEvent.CONTENT_CHANGE_TYPE_SUBTREE
        } else {
            event.contentDescription = board.describe(spot)
        }
        if (isChange) event.setSource(board) else event.setSource(board, spot)
        // By the parent, as a virtual view has no way of its own to send an event.
        board.parent?.requestSendAccessibilityEvent(board, event)
    }
}
