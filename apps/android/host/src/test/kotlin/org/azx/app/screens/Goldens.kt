/** Screenshots, and the golden images that they are compared with. */
package org.azx.app.screens

import android.app.Activity
import android.graphics.Bitmap
import android.graphics.BitmapFactory
import android.graphics.Canvas
import android.graphics.Color
import android.view.View
import android.view.ViewGroup
import org.junit.Assert.fail
import java.io.File
import kotlin.math.abs

// A part of a shade is rounding; a letter that is elsewhere changes far more pixels than one in a thousand.
private const val SHADES = 12
private const val PIXELS = 0.001

/** Golden images and screenshots are PNG files; golden ones have half the width and height. */
object Goldens {
    private val goldens = folder("goldens")
    private val screenshots = folder("screenshots")

    private fun folder(property: String): File =
        File(checkNotNull(System.getProperty(property)) { "'$property' is not set: run the tests with Maven." })

    /** Keep what `activity` shows as the screenshot `name`; an AssertionError if the golden image is another. */
    fun compare(activity: Activity, name: String) = compare(activity.window.decorView, name)

    /** The same of a window's own view. */
    fun compare(view: View, name: String) {
        val picture = draw(view)
        write(picture, screenshots.resolve("$name.png"))
        val small = Bitmap.createScaledBitmap(picture, picture.width / 2, picture.height / 2, true)
        val golden = goldens.resolve("$name.png")
        if (System.getProperty("azx.update.goldens") == "true") write(small, golden) else compare(small, golden, name)
    }

    private fun draw(view: View): Bitmap {
        val picture = Bitmap.createBitmap(view.width, view.height, Bitmap.Config.ARGB_8888)
        withoutBars(view)
        view.draw(Canvas(picture))
        return picture
    }

    /** Scroll bars fade away by the clock: whether they are seen is chance. */
    private fun withoutBars(view: View) {
        view.isVerticalScrollBarEnabled = false
        if (view is ViewGroup) for (at in 0 until view.childCount) withoutBars(view.getChildAt(at))
    }

    private fun write(picture: Bitmap, file: File) {
        file.parentFile?.mkdirs()
        elsewhere { file.outputStream().use { picture.compress(Bitmap.CompressFormat.PNG, 100, it) } }
    }

    private fun compare(found: Bitmap, file: File, name: String) {
        val renew = "renew it with -Dazx.update.goldens=true, and look at it"
        if (!file.exists()) fail("There is no golden image ${file.path}: $renew.")
        val golden = checkNotNull(BitmapFactory.decodeFile(file.path)) { "${file.path} is no image: $renew." }
        if (golden.width != found.width || golden.height != found.height) {
            val sizes = "${found.width}x${found.height}, its golden image ${golden.width}x${golden.height}"
            fail("'$name' is $sizes: $renew.")
        }
        val difference = difference(found, golden)
        val count = difference.count { it != Color.WHITE }
        if (count <= PIXELS * difference.size) return
        val shown = screenshots.resolve("$name.difference.png")
        write(Bitmap.createBitmap(difference, found.width, found.height, Bitmap.Config.ARGB_8888), shown)
        fail("'$name' differs in $count of ${difference.size} pixels, which are black in ${shown.path}: $renew.")
    }

    /** Black where two pictures of one size differ, white elsewhere. */
    private fun difference(found: Bitmap, golden: Bitmap): IntArray {
        val (one, two) = pixels(found) to pixels(golden)
        return IntArray(one.size) { if (isSame(one[it], two[it])) Color.WHITE else Color.BLACK }
    }

    private fun pixels(picture: Bitmap): IntArray = with(picture) {
        IntArray(width * height).also { getPixels(it, 0, width, 0, 0, width, height) }
    }

    private fun isSame(one: Int, two: Int): Boolean =
        listOf(16, 8, 0).all { shift -> abs((one shr shift and 255) - (two shr shift and 255)) <= SHADES }
}
