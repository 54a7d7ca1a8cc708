/** Tests of the documentation: links, snippets and form of all Markdown files. */
@NullMarked
package dev.jono.e2e.docs;

import org.jspecify.annotations.NullMarked;
