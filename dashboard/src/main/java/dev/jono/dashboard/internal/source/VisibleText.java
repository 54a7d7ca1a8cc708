package dev.jono.dashboard.internal.source;

/** Texts of users, on pages. */
public final class VisibleText {
    private VisibleText() {}

    /**
     * The text with escapes in place of control characters and of those that change the direction of the text, so that a text cannot look
     * like another one. (Source: Unicode Technical Report 36, section 2.5 on bidirectional text.)
     */
    public static String of(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isHidden(c)) {
                visible.append(String.format("\\u%04x", c));
            } else {
                visible.appendCodePoint(c);
            }
        });
        return visible.toString();
    }

    private static boolean isHidden(int c) {
        boolean control = Character.isISOControl(c) && c != '\n' && c != '\t';
        boolean direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
        boolean noCharacter = (c >= 0xd800 && c <= 0xdfff) || c == 0xfffe || c == 0xffff || c == 0xfeff;
        return control || direction || noCharacter;
    }
}
