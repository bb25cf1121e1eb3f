import com.android.apksig.ApkSigner;
import com.android.apksig.KeyConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Aligns and signs an APK with the debug key that Android Studio uses: {@code SignApk IN OUT KEYSTORE MIN_SDK}.
 * A keystore that is missing is made as Android Studio makes it; one that exists is only read.
 */
public final class SignApk {
    private static final String ALIAS = "androiddebugkey";
    private static final String PASSWORD = "android";

    private SignApk() {}

    public static void main(String[] arguments) throws Exception {
        Path keystore = Path.of(arguments[2]);
        if (Files.notExists(keystore)) {
            make(keystore);
        }
        sign(new File(arguments[0]), new File(arguments[1]), signer(keystore), Integer.parseInt(arguments[3]));
    }

    /** Made beside its place and moved there, so that a build broken off leaves no half of one. */
    private static void make(Path keystore) throws IOException, InterruptedException {
        Path folder = keystore.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path part = folder.resolve("debug.keystore.part-" + ProcessHandle.current().pid());
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(keytool, "-genkeypair", "-keystore", part.toString(),
                "-storetype", "PKCS12", "-storepass", PASSWORD, "-alias", ALIAS, "-keyalg", "RSA", "-keysize", "2048",
                "-validity", "10950", "-dname", "C=US, O=Android, CN=Android Debug").inheritIO().start();
        if (process.waitFor() != 0) {
            Files.deleteIfExists(part);
            throw new IOException("keytool could not make '" + keystore + "': see its message above.");
        }
        Files.move(part, keystore);
        System.out.println("Made '" + keystore + "', the key for this machine's debug builds.");
    }

    private static ApkSigner.SignerConfig signer(Path keystore) throws IOException, GeneralSecurityException {
        char[] password = PASSWORD.toCharArray();
        KeyStore store = KeyStore.getInstance(keystore.toFile(), password);
        PrivateKey key = (PrivateKey) store.getKey(ALIAS, password);
        if (key == null) {
            throw new GeneralSecurityException("'" + keystore + "' has no key '" + ALIAS + "': give another -Dkeystore.");
        }
        X509Certificate certificate = (X509Certificate) store.getCertificate(ALIAS);
        return new ApkSigner.SignerConfig.Builder(ALIAS, new KeyConfig.Jca(key), List.of(certificate)).build();
    }

    /**
     * Schemes v2 and v3: Android 7 and later read no other, and the app needs Android 8. Made beside its place and moved
     * there, so that nobody finds a half of one.
     */
    private static void sign(File in, File out, ApkSigner.SignerConfig signer, int minSdk) throws Exception {
        File part = new File(out.getPath() + ".part");
        new ApkSigner.Builder(List.of(signer))
                .setInputApk(in)
                .setOutputApk(part)
                .setMinSdkVersion(minSdk)
                .setV1SigningEnabled(false)
                .setV2SigningEnabled(true)
                .setV3SigningEnabled(true)
                .build()
                .sign();
        Files.move(part.toPath(), out.toPath(), StandardCopyOption.REPLACE_EXISTING);
    }
}
