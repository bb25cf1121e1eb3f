import com.android.apksig.ApkVerifier;
import com.android.apksig.apk.ApkFormatException;
import java.io.File;

/** Says of each APK whether Android's own library verifies it, by which schemes, and of what it complains. */
public final class VerifyApk {
    private VerifyApk() {}

    public static void main(String[] files) throws Exception {
        for (String file : files) {
            ApkVerifier.Result found;
            try {
                found = new ApkVerifier.Builder(new File(file)).build().verify();
            } catch (ApkFormatException e) {
                System.out.println("false " + e.getMessage());
                continue;
            }
            System.out.println(found.isVerified() + " v2 " + found.isVerifiedUsingV2Scheme() + " v3 "
                    + found.isVerifiedUsingV3Scheme() + " " + found.getAllErrors() + found.getWarnings());
        }
    }
}
